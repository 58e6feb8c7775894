import { OAuthError } from "../base/oauth-error.ts";
import type { WebHandler } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import { signedUserinfoClaims, userinfoClaims } from "./claims/userinfo-claims.ts";
import type { OAuthDeps } from "./deps.ts";
import { findTokenOfRequest } from "./dpop/find-token-of-request.ts";
import { withNonce } from "./dpop/present-proof.ts";
import { prepareAlgorithm, signToken } from "./own-tokens.ts";
import { json, jwt, resourceErrorResponse } from "./respond.ts";
import { takeRequest } from "./take-request.ts";

/**
 * Creates UserInfo (OpenID Connect Core §5.3): claims about the user of the presented access token. Refuses tokens
 * without a user.
 */
export function createUserinfoEndpoint(deps: OAuthDeps): WebHandler {
  const handler = answerErrors(
    deps,
    async (request) => {
      const { call } = request;
      const token = await findTokenOfRequest(deps, request);
      if (token?.family.userId === undefined) throw invalid();
      await takeRequest(deps, call);
      const client = await deps.clients.find(call.instanceId, token.family.clientId);
      // A party that has left the audience may still have the token.
      const { family, scope, audience, issuedAudience: readBy } = token;
      const claims = await userinfoClaims(deps, call, client, { family, scope, audience, readBy });
      if (claims === undefined) throw invalid();
      const algorithm = client?.userinfoAlgorithm ?? "";
      if (client === undefined || algorithm === "") return json(200, claims);
      await prepareAlgorithm(deps, call, algorithm);
      const body = await signToken(deps, call.instanceId, algorithm, {
        type: "userinfo+jwt",
        claims: signedUserinfoClaims(claims, { issuer: request.instance.origin, client }),
      });
      return jwt(body);
    },
    (error, { instance }) => resourceErrorResponse(error, instance.origin),
  );
  return withNonce(deps, handler);
}

const invalid = (): OAuthError => new OAuthError("invalid_token", "the access token is invalid, expired or revoked");
