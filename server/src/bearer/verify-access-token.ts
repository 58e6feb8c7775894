import type { AuthorityDeps } from "../authority/index.ts";
import { hashSecret } from "../base/secret.ts";
import { type Call, tokenKindOf } from "../call/index.ts";
import type { KeyRing } from "../domain/signing-key/index.ts";
import { findActiveAccessToken, type TokenKey } from "../domain/token/index.ts";
import { currentToken } from "./current-token.ts";
import { findPersonalAccessToken } from "./find-personal-access-token.ts";
import { readJwtId } from "./own-jwt.ts";
import { isHolder, type ProvenKey } from "./proven-key.ts";
import type { VerifiedToken } from "./verified-token.ts";

export interface VerifyDeps extends AuthorityDeps {
  readonly keyRing: KeyRing;
}

/**
 * Returns the token, if it is a currently valid access token of ours: opaque, JWT or personal; undefined for any other
 * text. Protocol endpoints and our own APIs ask this one function, so a token that is valid for one of them is valid
 * for all. It reads the rows each time, so that an ended token is refused from the next request on: a JWT's signature
 * is checked first, and then its row like that of an opaque token. A bound token is returned only to callers that
 * proved its key, or that do not take it as a credential (`any key`: introspection, exchange).
 */
export async function verifyAccessToken(
  deps: VerifyDeps,
  call: Call,
  token: string,
  proven?: ProvenKey,
): Promise<VerifiedToken | undefined> {
  switch (tokenKindOf(token)) {
    case "accessToken":
      return findIssued(deps, call, { tokenId: hashSecret(token), format: "opaque" }, proven);
    case "personalAccessToken": {
      const found = await findPersonalAccessToken(deps.database.read, call, { tokenHash: hashSecret(token) });
      return found !== undefined && isHolder(found, proven, undefined) ? found : undefined;
    }
    case undefined: {
      const issuer = await deps.originOf(call.instanceId);
      const tokenId = await readJwtId(deps, { instanceId: call.instanceId, issuer }, token, call.now);
      return tokenId === undefined ? undefined : findIssued(deps, call, { tokenId, format: "jwt" }, proven);
    }
    default:
      return undefined;
  }
}

/** Finds a token that was issued to a client: its row, its client, its key, and what it still gives. */
export async function findIssued(
  deps: AuthorityDeps,
  call: Call,
  key: TokenKey,
  proven: ProvenKey | undefined,
): Promise<VerifiedToken | undefined> {
  const found = await findActiveAccessToken(deps.database.read, call.instanceId, key, call.now);
  if (found === undefined) return undefined;
  const { applicationId, clientId } = found.family;
  const client = applicationId === undefined ? undefined : await deps.clients.find(call.instanceId, clientId);
  // Deactivating an application, its project or its organization stops what was issued to it.
  if (applicationId !== undefined && client?.isActive !== true) return undefined;
  return isHolder(found, proven, client) ? currentToken(deps, call, found, client) : undefined;
}
