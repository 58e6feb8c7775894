import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
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
  const administrators = await listThreatened(tx, organizationId);
  const before = await readStandings(tx, organizationId, administrators);
  const result = await change();
  const after = await readStandings(tx, organizationId, administrators);
  for (const { userId } of administrators) {
    const [former, next] = [before.get(userId), after.get(userId)];
    if (former === undefined || next === undefined || isDeepStrictEqual(former, next)) continue;
    const loss = await findLoss(tx, { userId, organizationId }, former, next);
    if (loss === undefined) continue;
    const { slug, field } = refusal ?? loss;
    throw new Fault("failed_precondition", slug, { field });
  }
  return result;
};

/**
 * What an administrator has and what the login offers them. Both are read before and after a change: the change of a
 * provider also suspends links at others that were made in sessions at it.
 */
interface Standing {
  readonly loaded: LoadedMeans;
  readonly offers: Offers;
}

async function readStandings(
  tx: Tx,
  organizationId: string,
  administrators: readonly AdministratorAtHome[],
): Promise<ReadonlyMap<string, Standing>> {
  const offersTo = await readOffers(tx, organizationId, administrators);
  const standings = new Map<string, Standing>();
  for (const administrator of administrators) {
    const loaded = await loadMeans(tx, administrator.userId);
    if (loaded !== undefined) standings.set(administrator.userId, { loaded, offers: offersTo(administrator) });
  }
  return standings;
}

async function listThreatened(tx: Tx, organizationId: string): Promise<AdministratorAtHome[]> {
  const threatened: AdministratorAtHome[] = [];
  for (const administrator of await listAdministratorsAtHome(tx, organizationId, mostJudged)) {
    if (!(await mayLift(tx, administrator, organizationId))) threatened.push(administrator);
  }
  return threatened;
}

// Who could take the position or the account of an administrator may take their way in.
async function mayLift(tx: Tx, { userId }: AdministratorAtHome, organizationId: string): Promise<boolean> {
  return tx.call.caller?.userId !== userId && (await mayActFor(tx, tx.call, userId, { organizationId }));
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
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  former: Standing,
  next: Standing,
): Promise<LockoutRefusal | undefined> {
  for (const start of ["named", "ordinary"] as const) {
    const left = await judge(tx, user, { loaded: next.loaded, offer: next.offers[start] });
    if (hasComplete(left.own)) continue;
    const lost = await judge(tx, user, { loaded: former.loaded, offer: former.offers[start] });
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
