import { authenticationMethodsOf, contextLevelOf, describeContext } from "../../domain/session/index.ts";
import type { CodeIssuance } from "../../domain/token/index.ts";
import type { Answerer, AnswerInput } from "./answer-input.ts";

/** Returns what the answer to a request stands for: what tokens are issued for, once its code is redeemed. */
export function describeAnswer(
  { parameters, session, impersonationId }: Pick<AnswerInput, "parameters" | "session" | "impersonationId">,
  { userId, authTime }: Answerer,
): CodeIssuance {
  return {
    redirectUri: parameters.redirectUri,
    scope: parameters.scope,
    ...(parameters.nonce !== undefined && { nonce: parameters.nonce }),
    ...(parameters.codeChallenge !== undefined && { codeChallenge: parameters.codeChallenge }),
    ...(parameters.dpopThumbprint !== undefined && { dpopThumbprint: parameters.dpopThumbprint }),
    ...(parameters.resources !== undefined && { resources: parameters.resources }),
    ...(parameters.claims !== undefined && { claims: parameters.claims }),
    sessionId: session.sessionId,
    userId,
    authTime,
    authenticationMethods: authenticationMethodsOf(session),
    acr: describeContext(contextLevelOf(session), parameters),
    ...(impersonationId !== undefined && { impersonationId }),
  };
}
