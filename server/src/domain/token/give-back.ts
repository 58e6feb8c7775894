import { hashSecret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import { unspendAuthorizationCode } from "./authorization-code.store.ts";
import type { IssuedTokens } from "./issue-tokens.ts";
import { keepSuccessor } from "./refresh-grace.ts";
import { deleteUnusedRefreshToken, unspendRefreshToken } from "./refresh-token.store.ts";
import { revokeFamily } from "./revoke-families.ts";
import { holdLiveFamily } from "./token-family.store.ts";

/**
 * Step: ends a new family whose tokens no client got. False when it has ended meanwhile: what it was exchanged for was
 * presented once more, or the user or the client lost it.
 */
export async function endUndelivered(tx: Tx, familyId: string): Promise<boolean> {
  if (!(await holdLiveFamily(tx, familyId))) return false;
  await revokeFamily(tx, familyId, "undelivered");
  return true;
}

/** Step: lets a code be redeemed once more, because no client got the tokens of the family that it was spent for. */
export async function giveBackCode(tx: Tx, code: string, familyId: string): Promise<void> {
  if (await endUndelivered(tx, familyId)) await unspendAuthorizationCode(tx, hashSecret(code), familyId);
}

/**
 * Step: lets a refresh token be used once more, because no client got what it was exchanged for, of which the next
 * refresh token ends. Changes nothing where that was presented or repeated meanwhile, and its family has ended.
 */
export async function giveBackRefreshToken(
  tx: Tx,
  { tokenHash, hasSuccessor }: { readonly tokenHash: string; readonly hasSuccessor: boolean },
  { issuedAt, family, refreshToken }: IssuedTokens,
): Promise<void> {
  if (refreshToken === undefined) return;
  const isBack = await unspendRefreshToken(tx, {
    tokenHash,
    hasSuccessor,
    spentAt: issuedAt,
    familyId: family.familyId,
  });
  if (isBack) await deleteUnusedRefreshToken(tx, hashSecret(refreshToken));
}

/** Step: lets an answer be repeated once more, because no client got the repetition. */
export const giveBackAnswer = (
  tx: Tx,
  deps: { readonly vault: Vault },
  tokenHash: string,
  repeated: IssuedTokens,
): Promise<void> => keepSuccessor(tx, deps, tokenHash, repeated);
