import { type Call, joinPreparations } from "../../call/index.ts";
import { answeredAt, findWantedLink } from "../identity-provider-intent/index.ts";
import { findPasswordChange } from "../password/index.ts";
import {
  checkedSince,
  type Factors,
  findSignInDemand,
  freshFactorsOf,
  hasFirstFactor,
  isEnough,
  isExternal,
  isMultiFactor,
  joinChecks,
  listBrowserSessions,
  preparationsOf,
  type SignInDemand,
  withOfferedWord,
  withoutLostWord,
} from "../session/index.ts";
import { type LoginSettings, loginSettingsOf } from "../settings/index.ts";
import type { DecidingSetting, SignInStep } from "../sign-in-attempt/index.ts";
import { findUser, freshForForm } from "../user/index.ts";
import { type BrowserVisit, keyOf, type SignInDeps } from "./browser-visit.ts";
import { findMissingContext, isSetUpHelpful, leadingTo } from "./missing-context.ts";
import { listSecondFactorsAt, type SecondFactorKind, type SecondFactors } from "./second-factors.ts";
import type { SignInState } from "./state.ts";

/** The user who proved something in the attempt, and what was proven so far. */
export interface Proven {
  readonly userId: string;
  readonly organizationId: string;
  /** As it was typed, or the account's name where nothing was. */
  readonly loginName: string;
  readonly factors: Factors;
  /** The sign-in epoch of the user from before the first of these checks. */
  readonly signInEpoch: number;
  /** Whether a provider's answer was used in this request (`EstablishedSignIn`). */
  readonly usesAnswer?: boolean;
  /** Whether the account is only being created, in the unit of work that the proof belongs to. */
  readonly isNew?: boolean;
  /** Whether the attempt began with a second factor, on top of what a session of the browser proved. */
  readonly isStepUp?: boolean;
}

/** What is asked for after a proof. */
export interface NextStep {
  readonly state: Exclude<SignInState, "unnamed" | "sign_up"> | "signed_in";
  /** What counts from now on: what was proven in the attempt, and what a session of the browser still holds. */
  readonly factors: Factors;
  /** The second factors with which the user can continue, where one is asked for; strongest first. */
  readonly secondFactors: readonly SecondFactorKind[];
  /** What is asked for, and by which setting, as administrators are told. */
  readonly asked?: SignInStep | undefined;
  /** The session that the first factor was proven in, when that was not in this attempt: it must still live. */
  readonly restsOn?: string | undefined;
}

/**
 * Decides what is asked for after a proof, by what the user has, by the settings, and by what waits. The only place
 * that decides it, for passwords, passkeys and identity providers alike.
 */
export async function decideNext(deps: SignInDeps, call: Call, visit: BrowserVisit, proven: Proven): Promise<NextStep> {
  const { userId, organizationId } = proven;
  const [kept, own, second, demand] = await Promise.all([
    findKeptFactors(deps, call, visit, proven),
    proven.usesAnswer === true ? proven.factors : withoutLostWord(deps.database.read, call.instanceId, proven),
    listSecondFactorsAt(deps, call, { userId, organizationId, host: visit.host }),
    proven.isNew === true ? newcomer : findSignInDemand(deps.database.read, call.instanceId, userId),
  ]);
  const factors = joinFactors(kept.factors, own);
  const restsOn = hasFirstFactor(proven) ? undefined : kept.sessionId;
  const next = (state: NextStep["state"], asked?: SignInStep, secondFactors = second.usable): NextStep => ({
    state,
    factors,
    secondFactors,
    restsOn,
    asked,
  });
  if (demand === undefined || !(await isEnough(deps, call, { factors, userId, organizationId }, demand))) {
    // The session that was to be stepped up has ended: the sign-in is an ordinary one, and begins with a first factor.
    if (proven.isStepUp === true && !hasFirstFactor({ factors })) return next("identified");
    // The second factor that was demanded was removed meanwhile: a sign-in from now on does without it.
    if (demand !== undefined && !second.hasAny) {
      const user = { factors, userId, organizationId };
      if (await isEnough(deps, call, user, { ...demand, ...withoutFormer })) return next("identified");
    }
    // A user whose second factor cannot be used here does not get past it by adding another.
    const state = second.usable.length > 0 || second.hasAny ? "second_factor" : "second_factor_setup";
    const login = await loginSettingsOf(deps, call, { organizationId, userId });
    return next(state, { check: state, outcome: "asked", setting: demanding(login, second) });
  }
  const asked = await findAskedFactor(deps, call, visit, { user: { userId, organizationId, factors }, second });
  if (asked !== undefined) {
    const { state, secondFactors } = asked;
    return next(state, { check: state, outcome: "asked", setting: "requested_authentication" }, secondFactors);
  }
  const change = await findChange(deps, call, proven);
  if (change !== undefined) return next(`change_${change}`, changes[change]);
  const isAddable = !second.hasAny && second.allowed.some((kind) => kind !== "recovery_codes");
  const isOffered = isAddable && (await isTimeToOffer(deps, call, proven, factors));
  return next(isOffered ? "second_factor_offer" : "signed_in");
}

const changes = {
  required: { check: "password_change", outcome: "asked", setting: "password_change_required" },
  expired: { check: "password_change", outcome: "asked", setting: "password_max_age" },
} as const satisfies Record<string, SignInStep>;

/** Returns what demands a second factor: the settings, otherwise that the user has one. */
function demanding(login: LoginSettings, second: SecondFactors): DecidingSetting {
  if (login.forceMfa) return "force_mfa";
  return login.forceMfaLocalOnly || !second.hasAny ? "force_mfa_local_only" : "user_second_factor";
}

/** Returns what is asked for because the application asks for a class of sign-ins that was not reached yet. */
async function findAskedFactor(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  {
    user,
    second,
  }: { readonly user: Pick<Proven, "userId" | "organizationId" | "factors">; readonly second: SecondFactors },
): Promise<
  | {
      readonly state: "second_factor" | "second_factor_setup";
      readonly secondFactors: readonly SecondFactorKind[];
    }
  | undefined
> {
  const missing = await findMissingContext(deps, call, visit, user);
  if (missing === undefined) return undefined;
  const helpful = leadingTo(missing.level, second.usable);
  if (helpful.length > 0) return { state: "second_factor", secondFactors: helpful };
  return isSetUpHelpful(missing, second) ? { state: "second_factor_setup", secondFactors: [] } : undefined;
}

// An attempt without a first factor of its own depends on what the session depends on, besides what was proven in it.
function joinFactors(kept: Factors, factors: Factors): Factors {
  const joined = joinChecks(kept, factors);
  if (kept.preparedBy === undefined || factors.preparedBy === undefined || hasFirstFactor({ factors })) return joined;
  return { ...joined, preparedBy: joinPreparations(kept.preparedBy, factors.preparedBy) };
}

// The user as though they had never had another second factor than those that they have now.
const withoutFormer = { formerSecondFactorSince: null, formerSecondFactorUntil: null };

const newcomer: SignInDemand = { hasFirstFactor: 1, secondFactorSince: null, ...withoutFormer };

/**
 * Returns what a session of the browser has seen of the user that need not be asked again. An application that asks for
 * a new sign-in, or for a recent one, means all factors; so does a user who wants to link an account at a provider.
 */
async function findKeptFactors(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { userId, organizationId }: Proven,
): Promise<{ readonly factors: Factors; readonly sessionId?: string }> {
  const { browserHash, authRequest, maxAge } = visit;
  const sessions = await listBrowserSessions(deps.database.read, call.instanceId, browserHash, call.now);
  const session = sessions.find((each) => each.userId === userId);
  if (session === undefined) return { factors: {} };
  const { sessionId } = session;
  const preparedBy = preparationsOf(session);
  const wantedLink = await findWantedLink(deps.database.read, call.instanceId, keyOf(visit), call.now);
  const since = wantedLink === undefined ? 0 : Math.max(answeredAt(wantedLink), call.now - freshForForm);
  const scope = { instanceId: call.instanceId, organizationId, userId };
  const keep = async (factors: Factors) => ({
    factors: await withOfferedWord(deps.database.read, scope, { ...factors, preparedBy }),
    sessionId,
  });
  const fresh = checkedSince(await freshFactorsOf(deps, call, { ...session, organizationId }), since);
  if (authRequest === undefined) return keep(maxAge === undefined ? fresh : checkedSince(fresh, call.now - maxAge));
  const { prompt, maxAge: seconds } = authRequest.parameters;
  if (prompt.includes("login")) return keep(checkedSince(fresh, authRequest.createdAt));
  return keep(seconds === undefined ? fresh : checkedSince(fresh, call.now - seconds * 1000));
}

// Only a password that was typed in this attempt is checked: other methods of signing in are not held up by it.
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
  const { mfaInitSkipLifetimeSeconds } = await loginSettingsOf(deps, call, { organizationId });
  if (mfaInitSkipLifetimeSeconds === 0 || isMultiFactor({ factors }) || isExternal({ factors })) return false;
  const user = await findUser(deps.database.read, call.instanceId, userId);
  if (user?.kind !== "human") return false;
  return (user.secondFactorSkippedAt ?? 0) + mfaInitSkipLifetimeSeconds * 1000 <= call.now;
}
