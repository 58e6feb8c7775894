import type { Reader } from "../../database/index.ts";
import { type IdentityProvider, listWrittenProviders } from "../identity-provider/index.ts";
import { type LoginSettings, readSettings } from "../settings/index.ts";
import { type AdministratorAtHome, listDiscoverable } from "./administrators-at-home.store.ts";

/**
 * What the login offers to administrators of one class: in a sign-in that names the organization, and in an ordinary
 * one, which comes to the organization by the domain of a name where that is allowed.
 */
export interface Offers {
  readonly named: Offer;
  readonly ordinary: Offer;
}

export type OffersTo = (administrator: AdministratorAtHome) => Offers;

export interface Offer {
  readonly login: LoginSettings;
  /** Active ones that are offered. */
  readonly providers: readonly IdentityProvider[];
  /** Whether the sign-in is for the organization: only there its administrators' word about accounts counts. */
  readonly isForOrganization: boolean;
}

// Settings differ by nothing else.
const classOf = ({ isOfInstance, isOfOrganization }: AdministratorAtHome): string =>
  `${isOfInstance} ${isOfOrganization}`;

/** Returns what the login offers now. Names lead to the organization that has proven their domain. */
export async function readOffers(
  reader: Reader,
  instanceId: string,
  {
    organizationId,
    administrators,
  }: { readonly organizationId: string; readonly administrators: readonly AdministratorAtHome[] },
): Promise<OffersTo> {
  const offers = new Map<string, { readonly named: Offer; readonly undiscovered: Offer }>();
  for (const administrator of administrators) {
    if (offers.has(classOf(administrator))) continue;
    const { userId } = administrator;
    const { settings: login } = await readSettings(reader, "login", { instanceId, organizationId, userId });
    const ids = login.allowExternalIdp ? login.identityProviderIds : [];
    const offered = await listWrittenProviders(reader, instanceId, { organizationId, ids });
    const providers = offered.filter(({ state }) => state === "active");
    const named = { login, providers, isForOrganization: true };
    const { settings: ofInstance } = await readSettings(reader, "login", { instanceId, userId });
    offers.set(classOf(administrator), { named, undiscovered: meet(named, ofInstance) });
  }
  const discoverable = await listDiscoverable(reader, instanceId, { organizationId, administrators });
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
    isForOrganization: false,
  };
}
