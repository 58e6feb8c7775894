import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import { authTimeOf, contextLevelOf, meetsEssential } from "../../domain/session/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { requireProjectAccess } from "../require-project-access.ts";
import type { AuthorizationResponse } from "../response-mode/authorization-response.ts";
import { requirePlainCode, requireResponseType } from "./allowed-response.ts";
import type { AnswerInput } from "./answer-input.ts";
import { grantTest } from "./grant-test.ts";
import { issueCode } from "./issue-code.ts";
import { issueTokens } from "./issue-tokens.ts";

/**
 * Answers a request with the session: with a code, or with tokens on the front channel. A user who may not use the
 * application causes the OAuthError `access_denied`. A stored request is answered once: a second answer is undefined.
 */
export async function answerWithSession(
  deps: OAuthDeps,
  call: Call,
  input: AnswerInput,
): Promise<AuthorizationResponse | undefined> {
  const { client, parameters, session, issuer } = input;
  const { userId } = session;
  const authTime = authTimeOf(session);
  if (userId === undefined || authTime === undefined) throw new OAuthError("login_required", "the user has to sign in");
  if (!meetsEssential(parameters, contextLevelOf(session))) {
    throw new OAuthError("unmet_authentication_requirements", "the sign-in does not meet the requested acr");
  }
  requireAllowed(client, parameters);
  await requireProjectAccess(deps, call, client, session);
  const issued = await issuerOf(parameters)(deps, call, input, { userId, authTime });
  return issued && toResponse(parameters, issued, issuer);
}

function issuerOf({ responseType, testId }: AuthRequestParameters) {
  if (testId !== undefined) return grantTest;
  return responseType === "code" ? issueCode : issueTokens;
}

/** Returns the response that carries an error (RFC 6749 §4.1.2.1 and §4.2.2.1). */
export function errorResponse(error: OAuthError, target: ResponseTarget, issuer: string): AuthorizationResponse {
  const { code, description, uri } = error;
  const parameters = { error: code, error_description: description, ...(uri !== undefined && { error_uri: uri }) };
  return toResponse(target, parameters, issuer);
}

/** The destination of the responses to a request. */
export type ResponseTarget = Pick<
  AuthRequestParameters,
  "redirectUri" | "responseMode" | "state" | "uiLocales" | "testId"
>;

/** Returns the response to a request. Every response names its issuer (RFC 9207 §2). */
export function toResponse(
  { redirectUri, responseMode, state, uiLocales, testId }: ResponseTarget,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): AuthorizationResponse {
  return {
    redirectUri,
    responseMode,
    uiLocales,
    ...(testId !== undefined && { testId }),
    parameters: { ...parameters, ...(state !== undefined && { state }), iss: issuer },
  };
}

/**
 * Refuses what the client may not ask for now. A request may have waited while an administrator changed the
 * application, or the server was started in the strict profile.
 */
export function requireAllowed(client: Client, { responseType, codeChallenge }: AuthRequestParameters): void {
  requireResponseType(client, responseType);
  if (responseType === "code" && codeChallenge === undefined) requirePlainCode(client);
}
