import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { type AuthRequestParameters, markAnswered } from "../../domain/auth-request/index.ts";
import { checkProjectAccess } from "../../domain/authorization/index.ts";
import { authenticationMethodsOf, authTimeOf, type Session } from "../../domain/session/index.ts";
import { createAuthorizationCode } from "../../domain/token/index.ts";
import { noteSignedInClient } from "../back-channel-logout/note-signed-in-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import { responseUrl } from "../response-mode/response-mode.ts";

export interface AnswerInput {
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  readonly session: Session;
  /** The stored request; absent when the browser's session answered at once and nothing was stored. */
  readonly authRequestId: string | undefined;
  readonly issuer: string;
}

/** Makes the code and returns where the browser goes with it. A stored request is answered once: a second answer is undefined. */
export async function answerWithCode(deps: OAuthDeps, call: Call, input: AnswerInput): Promise<string | undefined> {
  const { client, parameters, session } = input;
  const { userId } = session;
  const authTime = authTimeOf(session);
  if (userId === undefined || authTime === undefined)
    throw new OAuthError("login_required", "the person has to sign in");
  await requireProjectAccess(deps, call, client, session);
  const { settings } = await deps.settings.get("oidc", { instanceId: call.instanceId });
  const code = await deps.database.touch(call, async (tx) => {
    if (input.authRequestId !== undefined && !(await markAnswered(tx, input.authRequestId))) return undefined;
    await noteSignedInClient(tx, client, session);
    return createAuthorizationCode(tx, deps, {
      clientId: client.clientId,
      authRequestId: input.authRequestId ?? "",
      lifetime: settings.authorizationCodeLifetimeSeconds * 1000,
      issuance: {
        redirectUri: parameters.redirectUri,
        scope: parameters.scope,
        ...(parameters.nonce !== undefined && { nonce: parameters.nonce }),
        ...(parameters.codeChallenge !== undefined && { codeChallenge: parameters.codeChallenge }),
        ...(parameters.dpopThumbprint !== undefined && { dpopThumbprint: parameters.dpopThumbprint }),
        ...(parameters.resources !== undefined && { resources: parameters.resources }),
        sessionId: session.sessionId,
        userId,
        authTime,
        authenticationMethods: authenticationMethodsOf(session),
      },
    });
  });
  return (
    code &&
    responseUrl(parameters.redirectUri, parameters.responseMode, {
      code: code.reveal(),
      ...(parameters.state !== undefined && { state: parameters.state }),
      iss: input.issuer,
    })
  );
}

/** Where the browser goes with an error (RFC 6749 §4.1.2.1, RFC 9207 §2). */
export function errorUrl(
  error: OAuthError,
  target: Pick<AuthRequestParameters, "redirectUri" | "responseMode" | "state">,
  issuer: string,
): string {
  return responseUrl(target.redirectUri, target.responseMode, {
    error: error.code,
    error_description: error.description,
    ...(target.state !== undefined && { state: target.state }),
    iss: issuer,
  });
}

async function requireProjectAccess(deps: OAuthDeps, call: Call, client: Client, session: Session): Promise<void> {
  const { userId, organizationId } = session;
  const access = await checkProjectAccess(deps.database.read, call.instanceId, {
    userId: userId ?? "",
    userOrganizationId: organizationId ?? "",
    project: client,
  });
  if (access !== "allowed") throw new OAuthError("access_denied", "the user may not use this application");
}
