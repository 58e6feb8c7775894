import { type ActiveToken, type FamilySource, listFamilySources } from "../../../domain/token/index.ts";
import type { AuthenticatedClient } from "../../client-authentication/authenticate-client.ts";
import { readAccessTokenClaims } from "../../own-tokens.ts";
import { parseScope, withoutAlias } from "../../scope.ts";
import type { GrantContext } from "../grant.ts";
import type { Party } from "./party.ts";

/**
 * Returns a valid access token of ours, opaque or JWT, for this client: its audience contains the client or its
 * project. So a client that obtains another client's token cannot use it (CVE-2026-56668). A personal access token is
 * valid everywhere in its instance.
 */
export async function readAccessToken(
  { deps, call, issuer, dpopThumbprint }: GrantContext,
  text: string,
  client: AuthenticatedClient,
): Promise<Party | undefined> {
  const token = await deps.verifyAccessToken(call, text, "any key");
  // RFC 9449: a party that only copied a bound token must not exchange it for an unbound one.
  if (token?.keyThumbprint !== undefined && token.keyThumbprint !== dpopThumbprint) return undefined;
  if (token?.family.userId === undefined || token.organizationId === undefined) return undefined;
  const own = [client.clientId, client.projectId];
  const audience = token.kind === "personal_access_token" ? own : token.audience;
  if (!own.some((name) => audience.includes(name))) return undefined;
  const { family } = token;
  const claims = await readAccessTokenClaims(deps, { instanceId: call.instanceId, issuer }, text, call.now);
  return {
    userId: token.family.userId,
    organizationId: token.organizationId,
    clientId: family.clientId,
    scope: withoutAlias(parseScope(token.scope), deps.namespaceAliases),
    audience,
    sessionId: family.sessionId,
    authTime: family.authTime,
    authenticationMethods: family.authenticationMethods,
    nonce: family.nonce,
    actor: family.actor,
    mayAct: claims?.["may_act"],
    expiresAt: token.expiresAt,
    refreshableUntil: family.expiresAt,
    sources: await sourcesOf({ deps, call }, token),
  };
}

async function sourcesOf(
  { deps, call }: Pick<GrantContext, "deps" | "call">,
  { kind, family }: ActiveToken,
): Promise<FamilySource[]> {
  const { familyId, exchangedFormat } = family;
  if (kind === "personal_access_token") return [{ kind, id: familyId }];
  const above =
    exchangedFormat === undefined ? [] : await listFamilySources(deps.database.read, call.instanceId, familyId);
  return [{ kind: "family", id: familyId }, ...above];
}
