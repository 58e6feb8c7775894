import type { Call } from "../../call/index.ts";
import { answersBesideContext, asAnswer, contextReachOf } from "../auth-request/index.ts";
import {
  aimOf,
  type ContextLevel,
  contextLevelOf,
  type Factors,
  hasFirstFactor,
  listSignedInSessions,
  meetsEssential,
  preparationsOf,
  type Session,
  withOfferedWord,
} from "../session/index.ts";
import type { BrowserVisit } from "./browser-visit.ts";
import {
  listSecondFactorsAt,
  type SecondFactorDeps,
  type SecondFactorKind,
  type SecondFactors,
} from "./second-factors.ts";

/** What the waiting request asks for beyond what was proven (parameters `acr_values` and `claims`). */
export interface MissingContext {
  readonly level: ContextLevel;
  /** Whether the client insists on it. */
  readonly isEssential: boolean;
}

interface Judged {
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly factors: Factors;
}

/**
 * Returns what is missing of the class that the waiting request asks for; undefined when nothing is. A preference is
 * settled by any second factor that was proven for the request, even if it is not the preferred one.
 */
export async function findMissingContext(
  deps: SecondFactorDeps,
  call: Call,
  { authRequest, host }: BrowserVisit,
  { userId, organizationId, factors }: Judged,
): Promise<MissingContext | undefined> {
  if (authRequest === undefined) return undefined;
  const { parameters, createdAt } = authRequest;
  const { acrValues, essentialAcr } = parameters;
  if (acrValues === undefined && essentialAcr === undefined) return undefined;
  const level = contextLevelOf({ factors });
  const isEssential = !meetsEssential(parameters, level);
  if (!isEssential && (essentialAcr !== undefined || provenSecond(factors) >= createdAt)) return undefined;
  const reach = await contextReachOf(deps, call, { userId, organizationId, host });
  const aim = aimOf(parameters, reach > level ? reach : level) ?? 0;
  return level >= aim ? undefined : { level: aim, isEssential };
}

const provenSecond = (factors: Factors): number =>
  Math.max(
    factors.totpCheckedAt ?? 0,
    factors.otpSmsCheckedAt ?? 0,
    factors.otpEmailCheckedAt ?? 0,
    factors.recoveryCodeCheckedAt ?? 0,
    factors.webAuthNCheckedAt ?? 0,
  );

/** Returns those of the factors that a level can be reached with, after a first factor. */
export const leadingTo = (level: ContextLevel, kinds: readonly SecondFactorKind[]): SecondFactorKind[] =>
  level === 3 ? kinds.filter((kind) => kind === "key") : [...kinds];

/**
 * Returns whether a user could get the level by setting up a factor now: a client insists on it, and the user has no
 * second factor at all. A user who has one could otherwise get past it.
 */
export const isSetUpHelpful = ({ level, isEssential }: MissingContext, { allowed, hasAny }: SecondFactors): boolean =>
  isEssential && !hasAny && leadingTo(level, allowed).some((kind) => kind === "key" || kind === "totp");

/**
 * Lists the sessions of the browser that would answer the waiting request if their user proved one more factor, which
 * they have; newest first.
 */
export async function listStepUpSessions(deps: SecondFactorDeps, call: Call, visit: BrowserVisit): Promise<Session[]> {
  const { authRequest, browserHash } = visit;
  if (authRequest?.parameters.acrValues === undefined && authRequest?.parameters.essentialAcr === undefined) return [];
  const sessions = await listSignedInSessions(deps, call, browserHash);
  const isFitting = await Promise.all(sessions.map((session) => canStepUp(deps, call, visit, session)));
  return sessions.filter((_, index) => isFitting[index]);
}

async function canStepUp(deps: SecondFactorDeps, call: Call, visit: BrowserVisit, session: Session): Promise<boolean> {
  const found = await findMissingOf(deps, call, visit, session);
  if (found === undefined) return false;
  const scope = { ...found.user, instanceId: call.instanceId };
  const former = { ...session.factors, preparedBy: preparationsOf(session) };
  // Nothing would be left for the code to add to.
  if (!hasFirstFactor({ factors: await withOfferedWord(deps.database.read, scope, former) })) return false;
  const { usable } = await listSecondFactorsAt(deps, call, found.user);
  return leadingTo(found.missing.level, usable).length > 0;
}

/**
 * Returns whether the user of a session cannot give a client what it insists on: neither with the factors that they
 * have here nor by setting one up. The request then fails (OpenID Connect Core §5.5.1.1).
 */
export async function isContextOutOfReach(
  deps: SecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  session: Session,
): Promise<boolean> {
  const found = await findMissingOf(deps, call, visit, session);
  if (found?.missing.isEssential !== true) return false;
  const { missing, user, demand } = found;
  if (meetsEssential(demand, await contextReachOf(deps, call, user))) return false;
  return !isSetUpHelpful(missing, await listSecondFactorsAt(deps, call, user));
}

/** Returns what a session lacks, if it answers the waiting request in everything but its class. */
async function findMissingOf(deps: SecondFactorDeps, call: Call, visit: BrowserVisit, session: Session) {
  const { authRequest, host } = visit;
  const { userId, organizationId } = session;
  if (authRequest === undefined || userId === undefined || organizationId === undefined) return undefined;
  const demand = { ...authRequest.parameters, requestedAt: authRequest.createdAt };
  if (!(await answersBesideContext(deps, call, session, demand))) return undefined;
  const { factors } = await asAnswer(deps, call, session, demand);
  const missing = await findMissingContext(deps, call, visit, { userId, organizationId, factors });
  return missing && { missing, demand, user: { userId, organizationId, host } };
}
