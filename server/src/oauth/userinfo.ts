import type { WebHandler, WebRequest } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import { audienceOfScope } from "./audience.ts";
import { describeUser } from "./claims/describe-user.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthError } from "./error.ts";
import { parseForm } from "./parameters.ts";
import { bearerErrorResponse, json } from "./respond.ts";
import { parseScope, withoutAlias } from "./scope.ts";

/** UserInfo (OpenID Connect Core §5.3): claims about the user whose access token is presented. Tokens without a user are refused. */
export function createUserinfoEndpoint(deps: OAuthDeps): WebHandler {
  return answerErrors(
    deps,
    async (request) => {
      const { call } = request;
      const token = await deps.verifyAccessToken(call, readBearerToken(request));
      const userId = token?.family.userId;
      if (token === undefined || userId === undefined) throw invalid();
      const client = await deps.clients.find(call.instanceId, token.family.clientId);
      const scope = withoutAlias(parseScope(token.scope), deps.namespaceAliases);
      const description = await describeUser(deps, {
        instanceId: call.instanceId,
        userId,
        scope: token.scope,
        withUserClaims: true,
        roles: {
          ownProjectId: token.family.projectId,
          isAssertionOn: client?.isProjectRoleAssertionOn === true,
          audienceProjectIds: audienceOfScope(scope, await deps.systemProjectIdOf(call.instanceId)),
        },
      });
      if (description === undefined) throw invalid();
      return json(200, { ...description.claims, sub: userId });
    },
    bearerErrorResponse,
  );
}

const invalid = (): OAuthError => new OAuthError("invalid_token", "the access token is invalid, expired or revoked");

// RFC 6750 §2.1 and §2.2. A token in the query (§2.3) is never looked at: it would stand in logs.
function readBearerToken(request: WebRequest): string {
  const authorization = request.header("authorization");
  const inBody = request.method === "POST" && request.body !== "" ? readForm(request) : undefined;
  if (authorization === undefined && inBody === undefined) {
    throw new OAuthError("invalid_token", "an access token is needed");
  }
  if (authorization !== undefined && inBody !== undefined) {
    throw new OAuthError("invalid_request", "the access token is sent in more than one way");
  }
  if (authorization === undefined) return inBody ?? "";
  const token = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw invalid();
  return token;
}

const readForm = (request: WebRequest): string | undefined =>
  parseForm(request.header("content-type"), request.body).get("access_token");
