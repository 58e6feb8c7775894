import { audienceOfScope, parseScope, withoutAlias } from "../authority/index.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { WebHandler } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import { describeUser } from "./claims/describe-user.ts";
import { extendClaims, mayBeExtended } from "./claims/extend-claims.ts";
import { listsForAudience } from "./claims/list-claims.ts";
import { readersOf } from "./claims/readers.ts";
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
      const userId = token?.family.userId;
      if (token === undefined || userId === undefined) throw invalid();
      await takeRequest(deps, call);
      const client = await deps.clients.find(call.instanceId, token.family.clientId);
      const scope = withoutAlias(parseScope(token.scope), deps.namespaceAliases);
      const systemProjectId = await deps.systemProjectIdOf(call.instanceId);
      // A party that has left the audience may still have the token.
      const audience = token.issuedAudience;
      const { areOfProject, haveForeignResource, organizationIds } = await readersOf(deps, call.instanceId, {
        client,
        audience,
      });
      const description = await describeUser(deps, {
        instanceId: call.instanceId,
        userId,
        scope: token.scope,
        withUserClaims: true,
        claimNames: token.family.claims?.userinfo,
        roles: haveForeignResource
          ? undefined
          : {
              ownProjectId: token.family.projectId,
              // As a rule the client asks, which knows its roles by the short name.
              hasShortName: areOfProject || organizationIds.size === 1,
              isAssertionOn: client?.isProjectRoleAssertionOn === true,
              audienceProjectIds: audienceOfScope(scope, systemProjectId).filter((id) => token.audience.includes(id)),
            },
        lists: listsForAudience(client, audience, systemProjectId),
        organizationIds,
      });
      if (description === undefined) throw invalid();
      const { clientId, actor } = token.family;
      const readers = client === undefined ? { ofAccount: audience } : { organizationIds };
      const described = (await mayBeExtended(deps, call, "preuserinfo"))
        ? await extendClaims(deps, call, "preuserinfo", { ...description, clientId, actor, readers })
        : description.claims;
      const claims = { ...described, sub: userId };
      const algorithm = client?.userinfoAlgorithm ?? "";
      if (client === undefined || algorithm === "") return json(200, claims);
      // The client is the only recipient and so the only audience (OpenID Connect Core §5.3.2). A type of its own keeps
      // it from being used as an ID token.
      await prepareAlgorithm(deps, call, algorithm);
      const body = await signToken(deps, call.instanceId, algorithm, {
        type: "userinfo+jwt",
        claims: { ...claims, iss: request.instance.origin, aud: client.clientId },
      });
      return jwt(body);
    },
    (error, { instance }) => resourceErrorResponse(error, instance.origin),
  );
  return withNonce(deps, handler);
}

const invalid = (): OAuthError => new OAuthError("invalid_token", "the access token is invalid, expired or revoked");
