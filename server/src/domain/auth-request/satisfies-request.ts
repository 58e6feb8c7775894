import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import {
  authTimeOf,
  checkedSince,
  freshFactorsOf,
  isSignedIn,
  type Session,
  type SignedInDeps,
} from "../session/index.ts";
import type { AuthRequestParameters } from "./auth-request.ts";

/** What a request demands of the session that answers it. */
export type SessionDemand = Pick<
  AuthRequestParameters,
  "prompt" | "maxAge" | "hintUserId" | "subjects" | "organizationId"
> & {
  /** When the request arrived. */
  readonly requestedAt: Instant;
};

/** Whether the session may answer the request: right user and organization, signed in, and recently enough (OpenID Connect Core §3.1.2.3). */
export function satisfiesRequest(session: Session, demand: SessionDemand, now: Instant): boolean {
  const authTime = authTimeOf(session);
  if (authTime === undefined || session.terminatedAt !== undefined) return false;
  if (session.expiresAt !== undefined && session.expiresAt <= now) return false;
  if (demand.hintUserId !== undefined && session.userId !== demand.hintUserId) return false;
  if (demand.subjects !== undefined && !demand.subjects.includes(session.userId ?? "")) return false;
  if (demand.organizationId !== undefined && session.organizationId !== demand.organizationId) return false;
  // prompt=login wants an authentication that this very request caused; the time it took to sign in must not count against max_age.
  if (authTime >= demand.requestedAt) return true;
  if (demand.prompt.includes("login")) return false;
  return demand.maxAge === undefined || authTime + demand.maxAge * 1000 >= now;
}

/**
 * Since when everything that the person proved must have been checked; undefined when the request says nothing. `prompt=login` means all of it
 * anew, `max_age` all of it that recently; the time that signing in took does not count.
 */
export function checksDemandedSince(
  { prompt, maxAge, requestedAt }: Pick<SessionDemand, "prompt" | "maxAge" | "requestedAt">,
  now: Instant,
): Instant | undefined {
  if (prompt.includes("login")) return requestedAt;
  return maxAge === undefined ? undefined : Math.min(requestedAt, now - maxAge * 1000);
}

/**
 * Whether a session, in which somebody is signed in, answers the request: it satisfies it, and not with its newest check alone. A second factor that
 * was taken over from an earlier sign-in is one that `prompt=login` and `max_age` want anew.
 */
export async function answersRequest(
  deps: SignedInDeps,
  call: Call,
  session: Session,
  demand: SessionDemand,
): Promise<boolean> {
  if (!satisfiesRequest(session, demand, call.now)) return false;
  const since = checksDemandedSince(demand, call.now);
  return since === undefined || isSignedIn(deps, call, { ...session, factors: checkedSince(session.factors, since) });
}

/**
 * A session of our own login as it answers a request: with what counts by now, and of that with what the request wants anew. Tokens say that this was
 * proven (`amr`), and nothing that was seen before.
 */
export async function asAnswer(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  session: Session,
  demand: SessionDemand,
): Promise<Session> {
  const fresh = await freshFactorsOf(deps, call, session);
  const since = checksDemandedSince(demand, call.now);
  return { ...session, factors: since === undefined ? fresh : checkedSince(fresh, since) };
}
