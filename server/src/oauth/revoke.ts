import { OAuthError } from "../base/oauth-error.ts";
import { readJwtId } from "../bearer/index.ts";
import { revokeToken } from "../domain/token/index.ts";
import type { WebHandler } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import { authenticateClient } from "./client-authentication/authenticate-client.ts";
import type { OAuthDeps } from "./deps.ts";
import { parseForm, required } from "./parameters.ts";
import { empty } from "./respond.ts";

/** Creates token revocation (RFC 7009). Unknown and expired tokens get the same empty 200 as revoked ones. */
export function createRevokeEndpoint(deps: OAuthDeps): WebHandler {
  return answerErrors(deps, async ({ call, instance, header, body }) => {
    const parameters = parseForm(header("content-type"), body);
    const authorization = header("authorization");
    const client = await authenticateClient(deps, { call, issuer: instance.origin, authorization, parameters });
    const token = required(parameters, "token");
    const issuer = instance.origin;
    const jwtId = await readJwtId(deps, { instanceId: call.instanceId, issuer }, token, call.now);
    const revocation = await revokeToken(deps, call, { token, jwtId, clientId: client.clientId });
    if (revocation === "foreign") throw new OAuthError("invalid_client", "the token was not issued for this client");
    return empty;
  });
}
