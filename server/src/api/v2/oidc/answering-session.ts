import { Fault } from "../../../base/fault.ts";
import type { Call } from "../../../call/index.ts";
import { type AuthRequest, checksDemandedSince, satisfiesRequest } from "../../../domain/auth-request/index.ts";
import {
  contextLevelOf,
  countingFactors,
  isCompletelySignedIn,
  meetsEssential,
  type Session,
} from "../../../domain/session/index.ts";
import type { OAuthDeps } from "../../../oauth/index.ts";

/**
 * Returns the session with which a custom login answers a request, of OpenID Connect or SAML: what the request demands
 * of it is met, and only factors that still count are in it. Throws `auth_request.session_insufficient`.
 */
export async function answeringSession(
  deps: OAuthDeps,
  call: Call,
  { parameters, createdAt }: AuthRequest,
  session: Session | undefined,
): Promise<Session> {
  const demand = { ...parameters, requestedAt: createdAt };
  const isSatisfied = session !== undefined && satisfiesRequest(session, demand, call.now);
  const since = checksDemandedSince(demand, call.now);
  if (!isSatisfied || !(await isCompletelySignedIn(deps, call, session, since))) throw insufficient();
  const answering = { ...session, factors: await countingFactors(deps, call, session, since) };
  // Preferences of the client are for the login to follow; the session answers with whatever was reached.
  if (!meetsEssential(parameters, contextLevelOf(answering))) throw insufficient();
  return answering;
}

const insufficient = (): Fault => new Fault("permission_denied", "auth_request.session_insufficient");
