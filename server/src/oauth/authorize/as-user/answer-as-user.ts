import { authorityContext, needsConsent } from "../../../authority/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import type { Call } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { type AuthRequest, answersRequest, asAnswer, isOfRequestedUser } from "../../../domain/auth-request/index.ts";
import { findImpersonationHere, type ImpersonationHere } from "../../../domain/impersonation/index.ts";
import { authTimeOf, listSignedInSessions, type Session } from "../../../domain/session/index.ts";
import type { WebRequest } from "../../../web/index.ts";
import type { OAuthDeps } from "../../deps.ts";
import type { AuthorizationResponse } from "../../response-mode/authorization-response.ts";
import { requireAllowed, toResponse } from "../answer.ts";
import { hostOf } from "../host-of.ts";
import { issueCode } from "../issue-code.ts";

/** A request that an administrator answers as a user. */
export interface RequestAsUser {
  readonly found: AuthRequest;
  readonly impersonationId: string;
  readonly client: Client;
  readonly browserHash: string;
}

/**
 * Answers a request with a code for the impersonated user, in the browser of the administrator. Everything is decided
 * by the rows of now. What the request demands of a sign-in, that of the administrator has to meet. The session does
 * not know the application: it is not the user's. Undefined when the request was answered already.
 */
export async function answerAsUser(
  deps: OAuthDeps,
  { call, instance }: WebRequest,
  { found, impersonationId, client, browserHash }: RequestAsUser,
): Promise<AuthorizationResponse | undefined> {
  const { parameters, authRequestId, createdAt } = found;
  const sessions = await listSignedInSessions(deps, call, browserHash);
  const here = await findImpersonationHere(deps.database.read, call, sessions, { impersonationId });
  if (here?.impersonation.clientId !== client.clientId) {
    throw new OAuthError("access_denied", "the impersonation has ended");
  }
  const { impersonation } = here;
  if (parameters.testId !== undefined) {
    throw new OAuthError("access_denied", "a test of the application is signed in to as oneself");
  }
  if (!isOfRequestedUser(impersonation, parameters)) {
    throw new OAuthError("access_denied", "the request is for another user than the impersonated one");
  }
  const { hintUserId: _hint, subjects: _subjects, organizationId: _organization, ...ofAnyUser } = parameters;
  const session = await provenFor(deps, call, here, {
    ...ofAnyUser,
    requestedAt: createdAt,
    host: hostOf(instance),
  });
  if (parameters.responseType !== "code") {
    throw new OAuthError("access_denied", "an impersonation is answered with a code alone");
  }
  requireAllowed(client, parameters);
  const { userId } = impersonation;
  if (await needsConsent(await authorityContext(deps, call), { client, userId }, parameters)) {
    throw new OAuthError("access_denied", "only the user may consent to the client");
  }
  const input = { client, parameters, session, authRequestId, issuer: instance.origin, impersonationId };
  const issued = await issueCode(deps, call, input, { userId, authTime: authTimeOf(session) ?? call.now });
  return issued && toResponse(parameters, issued, instance.origin);
}

async function provenFor(
  deps: OAuthDeps,
  call: Call,
  { session }: ImpersonationHere,
  demand: Parameters<typeof answersRequest>[3],
): Promise<Session> {
  if (await answersRequest(deps, call, session, demand)) return asAnswer(deps, call, session, demand);
  throw new OAuthError("access_denied", "the sign-in of the administrator is not what the request demands");
}
