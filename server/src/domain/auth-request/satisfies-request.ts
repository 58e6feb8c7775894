import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import {
  aimOf,
  authTimeOf,
  type CountingDeps,
  checkedSince,
  contextLevelOf,
  freshFactorsOf,
  isSignedIn,
  meetsEssential,
  type Session,
  type SignedInDeps,
} from "../session/index.ts";
import type { AuthRequestParameters } from "./auth-request.ts";
import { contextReachOf } from "./context-reach.ts";

/** What a request requires of the session that answers it. */
export type SessionDemand = Pick<
  AuthRequestParameters,
  "prompt" | "maxAge" | "hintUserId" | "subjects" | "organizationId" | "acrValues" | "essentialAcr"
> & {
  /** When the request was received. */
  readonly requestedAt: Instant;
};

/** The same, and the host of the instance that the browser visits: keys work on one host. */
export type VisitDemand = SessionDemand & { readonly host: string };

/** Returns whether a session is of the user and the organization that the request names; true where it names none. */
export const isOfRequestedUser = (
  { userId, organizationId }: Pick<Session, "userId" | "organizationId">,
  demand: Pick<SessionDemand, "hintUserId" | "subjects" | "organizationId">,
): boolean =>
  (demand.hintUserId === undefined || userId === demand.hintUserId) &&
  (demand.subjects === undefined || demand.subjects.includes(userId ?? "")) &&
  (demand.organizationId === undefined || organizationId === demand.organizationId);

/**
 * Whether the session may answer the request: right user and organization, signed in recently enough (OpenID Connect
 * Core §3.1.2.3).
 */
export function satisfiesRequest(session: Session, demand: SessionDemand, now: Instant): boolean {
  const authTime = authTimeOf(session);
  if (authTime === undefined || session.terminatedAt !== undefined) return false;
  if (session.expiresAt !== undefined && session.expiresAt <= now) return false;
  if (!isOfRequestedUser(session, demand)) return false;
  // prompt=login requires an authentication caused by this exact request. The time that signing in took must not count
  // against max_age.
  if (authTime >= demand.requestedAt) return true;
  if (demand.prompt.includes("login")) return false;
  return demand.maxAge === undefined || authTime + demand.maxAge * 1000 >= now;
}

/**
 * Returns the instant since when all proofs of the user must have been checked; undefined when the request requires
 * nothing. `prompt=login` requires all of them again, `max_age` all of them that recently; the time that signing in
 * took does not count.
 */
export function checksDemandedSince(
  { prompt, maxAge, requestedAt }: Pick<SessionDemand, "prompt" | "maxAge" | "requestedAt">,
  now: Instant,
): Instant | undefined {
  if (prompt.includes("login")) return requestedAt;
  return maxAge === undefined ? undefined : Math.min(requestedAt, now - maxAge * 1000);
}

/**
 * Whether a session with a signed-in user answers the request: its checks must be recent enough, and not only the
 * newest of them. A second factor that was taken over from an earlier sign-in is checked again for `prompt=login` and
 * `max_age`. They must reach a class in `acr` that the client insists on; a preferred class matters only if the user
 * can reach it and was not asked for it yet.
 */
export async function answersRequest(
  deps: SignedInDeps,
  call: Call,
  session: Session,
  demand: VisitDemand,
): Promise<boolean> {
  return (await answersBesideContext(deps, call, session, demand)) && reachesContext(deps, call, session, demand);
}

/** Like `answersRequest`, but without regard to `acr`. */
export async function answersBesideContext(
  deps: SignedInDeps,
  call: Call,
  session: Session,
  demand: SessionDemand,
): Promise<boolean> {
  if (!satisfiesRequest(session, demand, call.now)) return false;
  const since = checksDemandedSince(demand, call.now);
  return since === undefined || isSignedIn(deps, call, { ...session, factors: checkedSince(session.factors, since) });
}

async function reachesContext(deps: SignedInDeps, call: Call, session: Session, demand: VisitDemand): Promise<boolean> {
  const { userId, organizationId } = session;
  if (demand.acrValues === undefined && demand.essentialAcr === undefined) return true;
  const answering = await asAnswer(deps, call, session, demand);
  const level = contextLevelOf(answering);
  if (!meetsEssential(demand, level)) return false;
  // A preference leads to at most one question, and to none if interaction is forbidden.
  const isAskedAlready = (authTimeOf(answering) ?? 0) >= demand.requestedAt || demand.prompt.includes("none");
  if (demand.essentialAcr !== undefined || isAskedAlready || userId === undefined) return true;
  const reach = await contextReachOf(deps, call, { userId, organizationId, host: demand.host });
  return level >= (aimOf(demand, reach > level ? reach : level) ?? 0);
}

/**
 * Returns a session of our own login as it answers a request: only with checks that are still valid and as recent as
 * the request requires. Tokens report these checks (`amr`), and no earlier ones.
 */
export async function asAnswer(
  deps: CountingDeps,
  call: Call,
  session: Session,
  demand: SessionDemand,
): Promise<Session> {
  const fresh = await freshFactorsOf(deps, call, session);
  const since = checksDemandedSince(demand, call.now);
  return { ...session, factors: since === undefined ? fresh : checkedSince(fresh, since) };
}
