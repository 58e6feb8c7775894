import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import { type LongTx, type Reader, RememberingReader } from "../../database/index.ts";
import { mayActFor } from "../administrator-access/index.ts";
import type { LockoutRefusal, RefuseLockout } from "../organization/index.ts";
import { type AdministratorAtHome, listAdministratorsAtHome } from "./administrators-at-home.store.ts";
import { judge } from "./judge.ts";
import { type LoadedMeans, loadMeans } from "./load-means.ts";
import { type Offers, readOffers } from "./read-offers.ts";
import type { FirstFactor, SignInMethods } from "./sign-in-methods.ts";

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
  const readBefore = new RememberingReader(tx);
  const administrators = await listThreatened(tx, readBefore, organizationId);
  const before = await readStandings(tx, readBefore, { organizationId, administrators });
  const result = await change();
  const readAfter = new RememberingReader(tx);
  const after = await readStandings(tx, readAfter, { organizationId, administrators });
  const losses = await Promise.all(
    administrators.map(async ({ userId }) => {
      const [former, next] = [before.get(userId), after.get(userId)];
      if (former === undefined || next === undefined || isDeepStrictEqual(former, next)) return undefined;
      return findLoss(tx, readAfter, { userId, organizationId }, { former, next });
    }),
  );
  const loss = losses.find((each) => each !== undefined);
  if (loss === undefined) return result;
  const { slug, field } = refusal ?? loss;
  throw new Fault("failed_precondition", slug, { field });
};

/**
 * What an administrator has and what the login offers them. Both are read before and after a change: the change of a
 * provider also suspends links at others that were made in sessions at it.
 */
interface Standing {
  readonly loaded: LoadedMeans;
  readonly offers: Offers;
}

// Side by side, so that on PostgreSQL the trips are those for one administrator.
async function readStandings(
  { instanceId }: LongTx,
  reader: Reader,
  { organizationId, administrators }: { organizationId: string; administrators: readonly AdministratorAtHome[] },
): Promise<ReadonlyMap<string, Standing>> {
  const offersTo = await readOffers(reader, instanceId, { organizationId, administrators });
  const standings = await Promise.all(
    administrators.map(async (administrator) => {
      const { userId } = administrator;
      const offers = offersTo(administrator);
      // An ordinary sign-in offers no others.
      const identityProviderIds = offers.named.providers.map((provider) => provider.identityProviderId);
      const loaded = await loadMeans(reader, instanceId, { userId, identityProviderIds });
      return loaded === undefined ? [] : [[userId, { loaded, offers }] as const];
    }),
  );
  return new Map(standings.flat());
}

async function listThreatened(tx: LongTx, reader: Reader, organizationId: string): Promise<AdministratorAtHome[]> {
  const administrators = await listAdministratorsAtHome(tx, organizationId, mostJudged);
  const isLifted = await Promise.all(administrators.map((each) => mayLift(tx, reader, each, organizationId)));
  return administrators.filter((_, index) => isLifted[index] === false);
}

// Who could take the position or the account of an administrator may take their way in.
async function mayLift(
  { call }: LongTx,
  reader: Reader,
  { userId }: AdministratorAtHome,
  organizationId: string,
): Promise<boolean> {
  return call.caller?.userId !== userId && (await mayActFor(reader, call, userId, { organizationId }));
}

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

async function findLoss(
  tx: LongTx,
  reader: Reader,
  user: { readonly userId: string; readonly organizationId: string },
  { former, next }: { readonly former: Standing; readonly next: Standing },
): Promise<LockoutRefusal | undefined> {
  for (const start of ["named", "ordinary"] as const) {
    const left = await judge(reader, tx, user, { loaded: next.loaded, offer: next.offers[start] });
    if (hasComplete(left.own)) continue;
    const lost = await judge(reader, tx, user, { loaded: former.loaded, offer: former.offers[start] });
    for (const reading of ["all", "own"] as const) {
      const loss = lossBetween(lost[reading], left[reading]);
      if (loss !== undefined) return loss;
    }
  }
  return undefined;
}

const hasComplete = (methods: SignInMethods): boolean => Object.values(methods).includes("complete");

function lossBetween(lost: SignInMethods, left: SignInMethods): LockoutRefusal | undefined {
  if (hasComplete(left)) return undefined;
  const firsts = (Object.keys(lossOf) as FirstFactor[]).filter((first) => lost[first] === "complete");
  const [first] = firsts;
  if (first === undefined) return undefined;
  return firsts.some((each) => left[each] === "incomplete") ? lossOfFactor : lossOf[first];
}
