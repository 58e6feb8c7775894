import type { Instant } from "../../base/clock.ts";
import { authTimeOf, type Session } from "../session/index.ts";
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
