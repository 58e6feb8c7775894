import { OAuthError } from "../../base/oauth-error.ts";
import { type AuthRequest, answersRequest, asAnswer } from "../../domain/auth-request/index.ts";
import { findSession, isSignedIn, type Session } from "../../domain/session/index.ts";
import { isContextOutOfReach } from "../../domain/sign-in/index.ts";
import type { WebRequest } from "../../web/index.ts";
import type { AuthorizeDeps } from "./authorize-deps.ts";
import { hostOf } from "./host-of.ts";

/**
 * Returns the session that the hosted login chose for a request, as it answers; undefined where the user has to go on
 * signing in. All requirements are checked again, also `max_age`, however the session was established. Throws
 * `unmet_authentication_requirements` if the user cannot meet the requested `acr` (OpenID Connect Unmet Authentication
 * Requirements).
 */
export async function findAnsweringSession(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  found: AuthRequest,
  browserHash: string,
): Promise<Session | undefined> {
  const { parameters, sessionId } = found;
  const session =
    sessionId === undefined ? undefined : await findSession(deps.database.read, call.instanceId, sessionId);
  if (session === undefined) return undefined;
  const demand = { ...parameters, requestedAt: found.createdAt, host: hostOf(instance) };
  if ((await isSignedIn(deps, call, session)) && (await answersRequest(deps, call, session, demand))) {
    return asAnswer(deps, call, session, demand);
  }
  const visit = { browserHash, authRequest: found, userAgent: {}, host: demand.host };
  if (await isContextOutOfReach(deps, call, visit, session)) {
    throw new OAuthError("unmet_authentication_requirements", "the user cannot meet the requested acr");
  }
  return undefined;
}
