import {
  isForOwnProject,
  mayPassOn,
  namesOf,
  parseScope,
  permissionsOfToken,
  withoutAlias,
} from "../../../../authority/index.ts";
import { OAuthError } from "../../../../base/oauth-error.ts";
import {
  credentialEndOf,
  readAccessTokenClaims,
  type VerifiedToken,
  verifyAccessToken,
} from "../../../../bearer/index.ts";
import type { ActiveToken, FamilySource } from "../../../../domain/token/index.ts";
import type { AuthenticatedClient } from "../../../client-authentication/authenticate-client.ts";
import { type GrantContext, inContext } from "../../grant.ts";
import { hasShownItself, isKeyProven, sourcesOfFamily } from "./basis.ts";
import type { Party } from "./party.ts";

/**
 * Returns a valid access token of ours, opaque or JWT, for this client: its audience contains the client or its
 * project. So a client that obtains another client's token cannot use it (CVE-2026-56668), and one that users have to
 * let in uses only what it got itself, or what its project got where its organization is the reason. A personal access
 * token is valid everywhere in its instance.
 */
export async function readAccessToken(
  context: GrantContext,
  text: string,
  client: AuthenticatedClient,
): Promise<Party | undefined> {
  const { deps, call, issuer } = context;
  const token = await verifyAccessToken(deps, call, text, "any key");
  if (token?.family.userId === undefined || token.organizationId === undefined) return undefined;
  const { family } = token;
  // RFC 9449: a party that only copied a bound token must not exchange it for an unbound one.
  if (!isKeyProven(context, token, family)) return undefined;
  const isBound = token.keyThumbprint !== undefined || family.keyThumbprint !== undefined;
  const isShown = hasShownItself(client, isBound);
  const isPersonal = token.kind === "personal_access_token";
  const own = [client.clientId, client.projectId];
  const audience = isPersonal ? own : token.audience;
  const names = namesOf(audience, family.clientId);
  if (!own.some((name) => names.includes(name))) return undefined;
  const authority = inContext(deps.database.read, context);
  const { userId } = token.family;
  if (!isPersonal && !(await mayPassOn(authority, { client, userId, given: [family] }))) return undefined;
  if (!isPersonal && !isShown && (await isSentToOthers(context, token))) {
    throw new OAuthError(
      "invalid_request",
      "a public client exchanges tokens for others only if they are bound to its key",
    );
  }
  const claims = await readAccessTokenClaims(deps, { instanceId: call.instanceId, issuer }, text, call.now);
  return {
    userId,
    organizationId: token.organizationId,
    clientId: family.clientId,
    scope: withoutAlias(parseScope(token.scope), deps.namespaceAliases),
    audience,
    audienceSince: token.createdAt,
    isBound,
    carriesPermissions: await carriesPermissions(context, token, {
      ...client,
      isTrustedForApi: client.isTrustedForApi && isShown,
    }),
    sessionId: family.sessionId,
    authTime: family.authTime,
    authenticationMethods: family.authenticationMethods,
    acr: family.acr,
    nonce: family.nonce,
    actor: family.actor,
    mayAct: claims?.["may_act"],
    expiresAt: token.expiresAt,
    credentialExpiresAt: credentialEndOf(token),
    sources: await sourcesOf(context, token),
  };
}

/**
 * Whether an exchange passes on what the user may do at our own APIs. An administrator of the instance must trust both
 * clients with that: the one that got the token, and the one that exchanges it. A service account chooses by itself who
 * gets its token, but it sends every API a token for that API. So an untrusted client gets the permissions of a service
 * account only by a token that is valid at our own APIs.
 */
async function carriesPermissions(
  { deps, call }: GrantContext,
  token: VerifiedToken,
  client: Pick<AuthenticatedClient, "isTrustedForApi">,
): Promise<boolean> {
  if (client.isTrustedForApi) return (await permissionsOfToken(deps, call.instanceId, token)) === "all";
  return token.family.applicationId === undefined && token.authority === "all";
}

/**
 * Whether the audience of a token has members besides its client and the client's project. Such a token is known to
 * others, too, who could otherwise exchange it in the client's name.
 */
async function isSentToOthers(
  { deps, call }: GrantContext,
  { family, issuedAudience }: VerifiedToken,
): Promise<boolean> {
  const systemProjectId = await deps.systemProjectIdOf(call.instanceId);
  const issuedTo = await deps.clients.find(call.instanceId, family.clientId);
  return !isForOwnProject({ family, audience: issuedAudience }, issuedTo, systemProjectId);
}

async function sourcesOf(context: GrantContext, { kind, tokenId, family }: ActiveToken): Promise<FamilySource[]> {
  return kind === "personal_access_token" ? [{ kind, id: tokenId }] : sourcesOfFamily(context, family, tokenId);
}
