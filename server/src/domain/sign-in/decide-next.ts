import type { Call } from "../../call/index.ts";
import { answeredAt, findWantedLink } from "../identity-provider-intent/index.ts";
import {
  checkedSince,
  type Factors,
  findSignInDemand,
  freshFactorsOf,
  isEnough,
  isExternal,
  isMultiFactor,
  listBrowserSessions,
  type SignInDemand,
} from "../session/index.ts";
import { findPasswordChange, findUser } from "../user/index.ts";
import { type BrowserVisit, keyOf, type SignInDeps } from "./browser-visit.ts";
import { listSecondFactorsAt, type SecondFactorKind } from "./second-factors.ts";
import { settingsOf } from "./settings-of.ts";
import type { SignInState } from "./state.ts";

/** The user who proved something in the attempt, and what was proven so far. */
export interface Proven {
  readonly userId: string;
  readonly organizationId: string;
  /** As it was typed, or the account's name where nothing was. */
  readonly loginName: string;
  readonly factors: Factors;
  /** Whether the account is only being created, in the unit of work that the proof belongs to. */
  readonly isNew?: boolean;
}

/** What is asked for after a proof. */
export interface NextStep {
  readonly state: Exclude<SignInState, "unnamed" | "identified" | "sign_up"> | "signed_in";
  /** What counts from now on: what was proven in the attempt, and what a session of the browser still holds. */
  readonly factors: Factors;
  /** The second factors with which the user can go on, where one is asked for; strongest first. */
  readonly secondFactors: readonly SecondFactorKind[];
}

/**
 * Decides what is asked for after a proof, by what the user has, by the settings, and by what waits. The only place
 * that decides it, for passwords, passkeys and identity providers alike.
 */
export async function decideNext(deps: SignInDeps, call: Call, visit: BrowserVisit, proven: Proven): Promise<NextStep> {
  const { userId, organizationId } = proven;
  const [kept, second, demand] = await Promise.all([
    findKeptFactors(deps, call, visit, proven),
    listSecondFactorsAt(deps, call, { userId, organizationId, host: visit.host }),
    proven.isNew === true ? newcomer : findSignInDemand(deps.database.read, call.instanceId, userId),
  ]);
  const factors = { ...kept, ...proven.factors };
  const next = (state: NextStep["state"]): NextStep => ({ state, factors, secondFactors: second.usable });
  if (demand === undefined || !(await isEnough(deps, call, { factors, userId, organizationId }, demand))) {
    // A user whose second factor cannot be used here does not get past it by adding another.
    return next(second.usable.length > 0 || second.hasAny ? "second_factor" : "second_factor_setup");
  }
  const change = await findChange(deps, call, proven);
  if (change !== undefined) return next(`change_${change}`);
  const isAddable = !second.hasAny && second.allowed.some((kind) => kind !== "recovery_codes");
  const isOffered = isAddable && (await isTimeToOffer(deps, call, proven, factors));
  return next(isOffered ? "second_factor_offer" : "signed_in");
}

const newcomer: SignInDemand = { hasFirstFactor: 1, secondFactorSince: null };

/**
 * Returns what a session of the browser has seen of the user that need not be asked again. An application that asks for
 * a new sign-in, or for a recent one, means all factors; so does a user who wants to link an account at a provider.
 */
async function findKeptFactors(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { userId, organizationId }: Proven,
): Promise<Factors> {
  const { browserHash, authRequest, maxAge } = visit;
  const sessions = await listBrowserSessions(deps.database.read, call.instanceId, browserHash, call.now);
  const session = sessions.find((each) => each.userId === userId);
  if (session === undefined) return {};
  const wantedLink = await findWantedLink(deps.database.read, call.instanceId, keyOf(visit), call.now);
  const since = wantedLink === undefined ? 0 : answeredAt(wantedLink);
  const fresh = checkedSince(await freshFactorsOf(deps, call, { ...session, organizationId }), since);
  if (authRequest === undefined) return maxAge === undefined ? fresh : checkedSince(fresh, call.now - maxAge);
  const { prompt, maxAge: seconds } = authRequest.parameters;
  if (prompt.includes("login")) return checkedSince(fresh, authRequest.createdAt);
  return seconds === undefined ? fresh : checkedSince(fresh, call.now - seconds * 1000);
}

// Only a password that was typed in this attempt is checked: other ways of signing in are not held up by it.
function findChange(
  deps: SignInDeps,
  call: Call,
  { userId, factors }: Proven,
): Promise<"required" | "expired" | undefined> {
  return factors.passwordCheckedAt === undefined ? Promise.resolve(undefined) : findPasswordChange(deps, call, userId);
}

async function isTimeToOffer(
  deps: SignInDeps,
  call: Call,
  { userId, organizationId }: Proven,
  factors: Factors,
): Promise<boolean> {
  const { mfaInitSkipLifetimeSeconds } = await settingsOf(deps, call, organizationId);
  if (mfaInitSkipLifetimeSeconds === 0 || isMultiFactor({ factors }) || isExternal({ factors })) return false;
  const user = await findUser(deps.database.read, call.instanceId, userId);
  if (user?.kind !== "human") return false;
  return (user.secondFactorSkippedAt ?? 0) + mfaInitSkipLifetimeSeconds * 1000 <= call.now;
}
