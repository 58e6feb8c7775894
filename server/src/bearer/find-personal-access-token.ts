import type { Call } from "../call/index.ts";
import type { Reader } from "../database/index.ts";
import { findPersonalAccessToken as findRow } from "../domain/credential/index.ts";
import type { VerifiedToken } from "./verified-token.ts";

/**
 * Finds a personal access token that is valid now, in the shape of the tokens that clients get: it is its own family,
 * and its user is its client. Undefined when it is unknown, has expired, or when its user or the user's organization is
 * not active.
 */
export async function findPersonalAccessToken(
  reader: Reader,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  key: { readonly tokenHash: string } | { readonly tokenId: string },
): Promise<VerifiedToken | undefined> {
  const found = await findRow(reader, instanceId, key);
  if (found === undefined || found.expiresAt <= now) return undefined;
  if (found.userState !== "active" || found.organizationState !== "active") return undefined;
  const { tokenId, scope, createdAt, expiresAt } = found;
  return {
    kind: "personal_access_token",
    tokenId,
    format: "opaque",
    scope,
    audience: [],
    issuedAudience: [],
    authority: "all",
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
