import {
  authorityContext,
  isForeign,
  isVouchedForAtHome,
  namesOf,
  readingOrganizationOf,
  readScopes,
  resourcesOf,
} from "../authority/index.ts";
import { toNumericDate } from "../base/clock.ts";
import { OAuthError } from "../base/oauth-error.ts";
import { type VerifiedToken, verifyAccessToken } from "../bearer/index.ts";
import type { Call } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import { mayIntrospect } from "../domain/resource/index.ts";
import type { User } from "../domain/user/index.ts";
import type { WebHandler, WebRequest } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import { describeUser } from "./claims/describe-user.ts";
import { extendClaims, mayBeExtended } from "./claims/extend-claims.ts";
import { type ListRequest, listsOf } from "./claims/list-claims.ts";
import { authenticateClient } from "./client-authentication/authenticate-client.ts";
import { readPresentedClient } from "./client-authentication/presented-client.ts";
import { countClient } from "./count-client.ts";
import type { OAuthDeps } from "./deps.ts";
import { parseForm, required } from "./parameters.ts";
import { json } from "./respond.ts";
import { takeRequest } from "./take-request.ts";

const inactive = { active: false } as const;

/**
 * Creates token introspection (RFC 7662). The caller authenticates by Basic or by an assertion, never by a secret in
 * the body. A token that is invalid, or not meant for the caller, is `{"active":false}` and nothing else.
 */
export function createIntrospectEndpoint(deps: OAuthDeps): WebHandler {
  return answerErrors(deps, async (request) => {
    const parameters = parseForm(request.header("content-type"), request.body);
    const authorization = request.header("authorization");
    const presented = readPresentedClient(authorization, parameters);
    if (presented?.kind !== "basic" && presented?.kind !== "assertion") {
      throw new OAuthError("invalid_client", "client authentication by Basic or private_key_jwt is needed");
    }
    const { call, instance } = request;
    const caller = await authenticateClient(deps, {
      call,
      issuer: instance.origin,
      authorization,
      parameters,
      presented,
    });
    if (caller.authMethod === "none") throw new OAuthError("invalid_client", "public clients may not introspect");
    countClient(deps, call, "introspection", caller.clientId);
    const token = await verifyAccessToken(deps, call, required(parameters, "token"), "any key");
    const isMeant =
      token !== undefined && (isAudience(token, caller) || (await isOfResource(deps, call, token, caller)));
    if (isMeant) await takeRequest(deps, call);
    return json(200, isMeant ? await describeToken(deps, request, token, caller) : inactive);
  });
}

// A personal access token is valid everywhere in its instance.
const isAudience = (token: VerifiedToken, caller: Client): boolean =>
  token.kind === "personal_access_token" ||
  namesOf(token.audience, token.family.clientId).some((name) => name === caller.clientId || name === caller.projectId);

/**
 * Whether the token is for a resource that the caller serves. Others that are named by the same token serve themselves:
 * applications that are not APIs, and APIs of other projects.
 */
async function isOfResource(
  { database }: OAuthDeps,
  call: Call,
  token: VerifiedToken,
  caller: Client,
): Promise<boolean> {
  if (caller.applicationKind !== "api" || token.kind === "personal_access_token") return false;
  const uris = resourcesOf(token.audience, token.family.clientId);
  if (uris.length === 0) return false;
  return mayIntrospect(database.read, call.instanceId, { uris, application: caller, issuedAt: token.createdAt });
}

async function describeToken(
  deps: OAuthDeps,
  { call, instance }: WebRequest,
  token: VerifiedToken,
  caller: Client,
): Promise<object> {
  const { family } = token;
  const organizationIds = new Set([readingOrganizationOf(caller)]);
  const description =
    family.userId === undefined
      ? undefined
      : await describeUser(deps, {
          instanceId: call.instanceId,
          userId: family.userId,
          scope: token.scope,
          withUserClaims: true,
          roles: { ownProjectId: caller.projectId, hasShortName: true, isAssertionOn: true, audienceProjectIds: [] },
          lists: listsOf(caller) ?? (await listsOfSibling(deps, call, family.clientId, caller)),
          organizationIds,
        });
  if (family.userId !== undefined && description === undefined) return inactive;
  const { clientId, actor } = family;
  const claims =
    description !== undefined && (await mayBeExtended(deps, call, "preuserinfo"))
      ? await extendClaims(deps, call, "preuserinfo", { ...description, clientId, actor, readers: { organizationIds } })
      : description?.claims;
  const user = description?.user;
  const isAtHome = isVouchedForAtHome(caller, user?.organizationId);
  const named = user && (isAtHome || (await isNameTold(deps, call, { token, caller, user }))) ? user : undefined;
  const implicit = token.kind === "personal_access_token" ? [caller.clientId, caller.projectId] : [];
  return {
    ...claims,
    active: true,
    ...(token.scope !== "" && { scope: token.scope }),
    client_id: clientId,
    token_type: token.keyThumbprint === undefined ? "Bearer" : "DPoP",
    iss: instance.origin,
    sub: family.userId ?? family.clientId,
    aud: [...token.audience, ...implicit],
    exp: toNumericDate(token.expiresAt),
    iat: toNumericDate(token.createdAt),
    nbf: toNumericDate(token.createdAt),
    jti: token.tokenId,
    ...(named && { username: named.preferredLoginName }),
    ...(family.authTime !== undefined && { auth_time: toNumericDate(family.authTime) }),
    ...(family.acr !== undefined && { acr: family.acr }),
    ...(family.authenticationMethods.length > 0 && { amr: family.authenticationMethods }),
    ...(actor && { act: actor }),
    ...(token.keyThumbprint !== undefined && { cnf: { jkt: token.keyThumbprint } }),
  };
}

// A login name is often an address. An API of an organization that the user's own does not trust gets it as
// `preferred_username`, with the scope that shows it.
async function isNameTold(
  deps: OAuthDeps,
  call: Call,
  { token, caller, user }: { readonly token: VerifiedToken; readonly caller: Client; readonly user: User },
): Promise<boolean> {
  if (readScopes(token.scope, deps.namespaceAliases).has("profile")) return true;
  return !(await isForeign(await authorityContext(deps, call), { client: caller, userId: user.userId }));
}

// An API has no configuration for lists of its own, so it gets those of the application of its project that it serves.
async function listsOfSibling(
  deps: OAuthDeps,
  { instanceId }: Call,
  clientId: string,
  caller: Client,
): Promise<ListRequest | undefined> {
  if (caller.applicationKind !== "api") return undefined;
  const client = await deps.clients.find(instanceId, clientId);
  return client?.projectId === caller.projectId ? listsOf(client) : undefined;
}
