import { hashSecret } from "../../base/secret.ts";
import { type Call, tokenKindOf } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { findAccessTokenOwner, markAccessTokenRevoked } from "./access-token.store.ts";
import { findRefreshToken } from "./refresh-token.store.ts";
import { revokeFamily } from "./revoke-families.ts";
import { advanceFamily, holdLiveFamily } from "./token-family.store.ts";
import { familyAggregate } from "./token-family.ts";

/** `foreign`: the token was issued to another client, which the caller may be told (RFC 7009 §2.1). */
export type Revocation = "done" | "foreign";

/**
 * Revokes a token at the request of the client that it was issued to (RFC 7009). An access token is revoked alone; a
 * refresh token with its family. Unknown, expired and revoked tokens count as done. `jwtId` is the `jti` of a token
 * that is a JWT of ours.
 */
export async function revokeToken(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly token: string; readonly jwtId: string | undefined; readonly clientId: string },
): Promise<Revocation> {
  return deps.database.change(call, async (tx) => {
    if (tokenKindOf(input.token) === "refreshToken") return revokeRefreshToken(tx, input);
    return revokeAccessToken(tx, input.jwtId ?? hashSecret(input.token), input.clientId);
  });
}

async function revokeRefreshToken(
  tx: Tx,
  input: { readonly token: string; readonly clientId: string },
): Promise<Revocation> {
  const token = await findRefreshToken(tx, tx.instanceId, hashSecret(input.token));
  if (token === undefined) return "done";
  if (token.clientId !== input.clientId) return "foreign";
  await revokeFamily(tx, token.familyId, "revoked_by_client");
  return "done";
}

async function revokeAccessToken(tx: Tx, tokenId: string, clientId: string): Promise<Revocation> {
  const owner = await findAccessTokenOwner(tx, tx.instanceId, tokenId);
  if (owner === undefined) return "done";
  if (owner.clientId !== clientId) return "foreign";
  // A revoked family was recorded as such; its tokens are revoked with it.
  if (!(await holdLiveFamily(tx, owner.familyId))) return "done";
  if (!(await markAccessTokenRevoked(tx, tokenId))) return "done";
  const sequence = await advanceFamily(tx, owner.familyId);
  if (sequence === undefined) return "done";
  tx.record({
    type: "token_family.access_token.revoked",
    ...familyAggregate({ familyId: owner.familyId, ownerId: tx.instanceId }),
    sequence,
    payload: { clientId },
  });
  return "done";
}
