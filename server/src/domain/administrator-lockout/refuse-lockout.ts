import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { mayActFor, mayVouchFor } from "../administrator-access/index.ts";
import { type IdentityProvider, listWrittenProviders, speakerOf } from "../identity-provider/index.ts";
import type { IdentityLink } from "../identity-provider-link/index.ts";
import type { LockoutRefusal, RefuseLockout } from "../organization/index.ts";
import { type LoginSettings, readSettings } from "../settings/index.ts";
import {
  type AdministratorAtHome,
  listAdministratorsAtHome,
  listDiscoverable,
} from "./administrators-at-home.store.ts";
import { type LoadedMeans, loadMeans } from "./load-means.ts";
import { type FirstFactor, type SignInMethods, signInMethods } from "./sign-in-methods.ts";

/**
 * How many administrators are judged, so that no organization decides how long a change takes. Owners come first, and
 * can help the others.
 */
const mostJudged = 50;

/**
 * Step, around a change of an organization's login settings, providers or proven domains: refuses it when it takes the
 * last complete method of signing in from certain administrators. These are at home there, and may do something that
 * the caller may not. A manager of the settings could otherwise lock the owners out; administrators whom the caller
 * could remove anyway hold nothing up. Callers do not lock themselves out. Positions elsewhere do not count: no other
 * organization decides how this one signs in. Changes of the instance itself are its administrators' own.
 */
export const refuseLockout: RefuseLockout = async (tx, organizationId, change, refusal) => {
  if (organizationId === "") return change();
  const administrators = await listAdministratorsAtHome(tx, organizationId, mostJudged);
  const before = await readOffers(tx, organizationId, administrators);
  const result = await change();
  const after = await readOffers(tx, organizationId, administrators);
  for (const administrator of administrators) {
    const former = before(administrator);
    const offer = after(administrator);
    if (isDeepStrictEqual(former, offer)) continue;
    if (await mayLift(tx, administrator, organizationId)) continue;
    const user = { userId: administrator.userId, organizationId };
    const loaded = await loadMeans(tx, user.userId);
    if (loaded === undefined) continue;
    for (const start of ["named", "ordinary"] as const) {
      const left = await judge(tx, user, { loaded, offer: offer[start] });
      if (Object.values(left).includes("complete")) continue;
      const lost = await judge(tx, user, { loaded, offer: former[start] });
      const loss = findLoss(lost, left);
      if (loss === undefined) continue;
      const { slug, field } = refusal ?? loss;
      throw new Fault("failed_precondition", slug, { field });
    }
  }
  return result;
};

/**
 * What the login offers to administrators of one class: in a sign-in that names the organization, and in an ordinary
 * one, which comes to the organization by the domain of a name where that is allowed.
 */
interface Offers {
  readonly named: Offer;
  readonly ordinary: Offer;
}

type OffersTo = (administrator: AdministratorAtHome) => Offers;

interface Offer {
  readonly login: LoginSettings;
  /** Active ones that are offered. */
  readonly providers: readonly IdentityProvider[];
}

// Settings differ by nothing else.
const classOf = ({ isOfInstance, isOfOrganization }: AdministratorAtHome): string =>
  `${isOfInstance} ${isOfOrganization}`;

/** Returns what the login offers now. Names lead to the organization that has proven their domain. */
async function readOffers(
  tx: Tx,
  organizationId: string,
  administrators: readonly AdministratorAtHome[],
): Promise<OffersTo> {
  const { instanceId } = tx;
  const offers = new Map<string, { readonly named: Offer; readonly undiscovered: Offer }>();
  for (const administrator of administrators) {
    if (offers.has(classOf(administrator))) continue;
    const { userId } = administrator;
    const { settings: login } = await readSettings(tx, "login", { instanceId, organizationId, userId });
    const ids = login.allowExternalIdp ? login.identityProviderIds : [];
    const offered = await listWrittenProviders(tx, instanceId, { organizationId, ids });
    const named = { login, providers: offered.filter(({ state }) => state === "active") };
    const { settings: ofInstance } = await readSettings(tx, "login", { instanceId, userId });
    offers.set(classOf(administrator), { named, undiscovered: meet(named, ofInstance) });
  }
  const discoverable = await listDiscoverable(tx, organizationId, administrators);
  return (administrator) => {
    const { named, undiscovered } = offers.get(classOf(administrator)) as { named: Offer; undiscovered: Offer };
    const isDiscovered = named.login.allowDomainDiscovery && discoverable.has(administrator.userId);
    return { named, ordinary: isDiscovered ? named : undiscovered };
  };
}

/**
 * Returns what is left where nothing leads to the organization: the providers that the instance offers, and local
 * methods where both allow them. The organization is asked for the latter alone where names are revealed.
 */
function meet({ login, providers }: Offer, ofInstance: LoginSettings): Offer {
  const ids = ofInstance.allowExternalIdp ? ofInstance.identityProviderIds : [];
  const isLocal = ofInstance.allowLocalAuthentication || !ofInstance.ignoreUnknownUsernames;
  return {
    login: {
      ...login,
      allowLocalAuthentication: login.allowLocalAuthentication && isLocal,
      hidePasswordReset: login.hidePasswordReset || ofInstance.hidePasswordReset,
    },
    providers: providers.filter(({ identityProviderId }) => ids.includes(identityProviderId)),
  };
}

// Who could take the position or the account of an administrator may take their way in.
async function mayLift(tx: Tx, { userId }: AdministratorAtHome, organizationId: string): Promise<boolean> {
  return tx.call.caller?.userId !== userId && (await mayActFor(tx, tx.call, userId, { organizationId }));
}

async function judge(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  { loaded: { means, links }, offer }: { readonly loaded: LoadedMeans; readonly offer: Offer },
): Promise<SignInMethods> {
  const linked = offer.providers.filter((provider) => links.some((link) => isOfProvider(link, provider)));
  return signInMethods(means, { login: offer.login, isVouchedFor: await isVouchedFor(tx, user, linked), now: tx.now });
}

async function isVouchedFor(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  providers: readonly IdentityProvider[],
): Promise<boolean> {
  for (const provider of providers) {
    if (await mayVouchFor(tx, tx.instanceId, provider, user)) return true;
  }
  return false;
}

// The links of a provider that never had another speaker get its name only when the next one begins to speak.
const isOfProvider = ({ identityProviderId, speaker }: IdentityLink, provider: IdentityProvider): boolean =>
  identityProviderId === provider.identityProviderId &&
  (speaker === provider.speaker || (provider.speaker === "" && speaker === speakerOf(provider.configuration)));

const lossOf = {
  password: { slug: "settings.login.no_password_for_administrators", field: "allowLocalAuthentication" },
  passkey: { slug: "settings.login.no_passkey_for_administrators", field: "passkeysType" },
  provider: { slug: "settings.login.no_provider_for_administrators", field: "allowExternalIdp" },
  message: { slug: "settings.login.no_password_for_administrators", field: "hidePasswordReset" },
} as const satisfies Record<FirstFactor, LockoutRefusal>;

const lossOfFactor: LockoutRefusal = {
  slug: "settings.login.no_factor_for_administrators",
  field: "secondFactors",
};

function findLoss(lost: SignInMethods, left: SignInMethods): LockoutRefusal | undefined {
  const firsts = (Object.keys(lossOf) as FirstFactor[]).filter((first) => lost[first] === "complete");
  const [first] = firsts;
  if (first === undefined) return undefined;
  return firsts.some((each) => left[each] === "incomplete") ? lossOfFactor : lossOf[first];
}
