import { type CurrentTokenDeps, currentToken } from "../authority/index.ts";
import { hashSecret } from "../base/secret.ts";
import { type Call, tokenKindOf } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import { type ActiveToken, findActiveAccessToken } from "../domain/token/index.ts";
import { findPersonalAccessToken, type PresentedToken } from "../domain/user/index.ts";
import type { OAuthDeps } from "./deps.ts";
import { readJwtId } from "./own-tokens.ts";
import { isHolder, type ProvenKey } from "./proven-key.ts";

export type VerifyDeps = CurrentTokenDeps & Pick<OAuthDeps, "keyRing">;

/**
 * Returns the token, if it is a currently valid access token of ours; undefined for any other text. A JWT's signature
 * is checked first, and then its row like that of an opaque token, so that revocation and logout apply to it as well.
 */
export async function verifyAccessToken(
  deps: VerifyDeps,
  call: Call,
  token: string,
  proven?: ProvenKey,
): Promise<ActiveToken | undefined> {
  const found = await findToken(deps, call, token);
  return found !== undefined && isHolder(found.token, proven, found.client) ? found.token : undefined;
}

interface FoundToken {
  readonly token: ActiveToken;
  /** The application that it was issued to; undefined where it was none. */
  readonly client: Client | undefined;
}

async function findToken(deps: VerifyDeps, call: Call, token: string): Promise<FoundToken | undefined> {
  const { read } = deps.database;
  switch (tokenKindOf(token)) {
    case "accessToken":
      return asItHolds(deps, call, await findActiveAccessToken(read, call.instanceId, opaque(token), call.now));
    case "personalAccessToken": {
      const found = await findPersonalAccessToken(read, call.instanceId, hashSecret(token));
      const active = found && toActiveToken(found, call.now);
      return active && { token: active, client: undefined };
    }
    case undefined: {
      const issuer = await deps.originOf(call.instanceId);
      const tokenId = await readJwtId(deps, { instanceId: call.instanceId, issuer }, token, call.now);
      if (tokenId === undefined) return undefined;
      const found = await findActiveAccessToken(read, call.instanceId, { tokenId, format: "jwt" }, call.now);
      return asItHolds(deps, call, found);
    }
    default:
      return undefined;
  }
}

async function asItHolds(
  deps: VerifyDeps,
  call: Call,
  found: ActiveToken | undefined,
): Promise<FoundToken | undefined> {
  const token = found && (await currentToken(deps, call, found));
  if (token === undefined) return undefined;
  const isOfClient = token.family.applicationId !== undefined;
  return { token, client: isOfClient ? await deps.clients.find(call.instanceId, token.family.clientId) : undefined };
}

const opaque = (token: string) => ({ tokenId: hashSecret(token), format: "opaque" }) as const;

function toActiveToken(found: PresentedToken, now: number): ActiveToken | undefined {
  if (found.expiresAt <= now || found.userState !== "active" || found.organizationState !== "active") return undefined;
  const { tokenId, scope, createdAt, expiresAt } = found;
  return {
    kind: "personal_access_token",
    tokenId,
    format: "opaque",
    scope,
    audience: [],
    keyThumbprint: undefined,
    createdAt,
    expiresAt,
    organizationId: found.organizationId,
    family: {
      familyId: tokenId,
      clientId: found.userId,
      applicationId: undefined,
      projectId: undefined,
      userId: found.userId,
      sessionId: undefined,
      scope,
      audience: [],
      authTime: undefined,
      authenticationMethods: [],
      nonce: undefined,
      actor: undefined,
      keyThumbprint: undefined,
      createdAt,
      expiresAt,
    },
  };
}
