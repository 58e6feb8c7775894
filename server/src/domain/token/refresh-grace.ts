import { hashSecret, Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import type { IssuedTokens } from "./issue-tokens.ts";
import { findLiveFamily } from "./live-family.store.ts";
import { findRefreshToken, setSuccessor, takeSuccessor } from "./refresh-token.store.ts";
import { advanceFamily } from "./token-family.store.ts";
import { familyAggregate, type TokenFamily } from "./token-family.ts";

/** What a spent refresh token was exchanged for, as it is sealed beside it. */
interface Successor {
  readonly format: IssuedTokens["format"];
  readonly tokenId: string;
  readonly accessToken: string | undefined;
  readonly refreshToken: string;
  readonly scope: string;
  readonly audience: readonly string[];
  readonly keyThumbprint: string | undefined;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * Step: seals what a refresh token was exchanged for beside the spent token, so that a lost answer can be repeated
 * once.
 */
export async function keepSuccessor(
  tx: Tx,
  deps: { readonly vault: Vault },
  tokenHash: string,
  issued: IssuedTokens,
): Promise<void> {
  if (issued.refreshToken === undefined) return;
  const successor: Successor = {
    format: issued.format,
    tokenId: issued.tokenId,
    accessToken: issued.accessToken?.reveal(),
    refreshToken: issued.refreshToken.reveal(),
    scope: issued.scope,
    audience: issued.audience,
    keyThumbprint: issued.keyThumbprint,
    issuedAt: issued.issuedAt,
    expiresAt: issued.expiresAt,
  };
  await setSuccessor(tx, tokenHash, deps.vault.encrypt(JSON.stringify(successor), context(tx, tokenHash)));
}

/**
 * Step: returns once more, and only once, what a refresh token was exchanged for, within the grace of its client.
 * Undefined when the time is over, when it was repeated already, when the family has ended, or when the next token was
 * used: then the answer had arrived, and another party has a copy.
 */
export async function repeatAnswer(
  tx: Tx,
  deps: { readonly vault: Vault },
  token: { readonly tokenHash: string; readonly clientId: string; readonly grace: number },
): Promise<IssuedTokens | undefined> {
  const taken = await takeSuccessor(tx, token);
  if (taken === undefined) return undefined;
  const successor = JSON.parse(deps.vault.decrypt(taken.successor, context(tx, token.tokenHash)).reveal()) as Successor;
  const next = await findRefreshToken(tx, tx.instanceId, hashSecret(successor.refreshToken));
  const live = await findLiveFamily(tx, tx.instanceId, taken.familyId, tx.now);
  if (next === undefined || next.consumedAt !== null || live === undefined) return undefined;
  return recordRepetition(tx, live.family, successor);
}

async function recordRepetition(tx: Tx, family: TokenFamily, successor: Successor): Promise<IssuedTokens | undefined> {
  const sequence = await advanceFamily(tx, family.familyId);
  if (sequence === undefined) return undefined;
  tx.record({
    type: "token_family.answer_repeated",
    ...familyAggregate({ familyId: family.familyId, ownerId: tx.instanceId }),
    sequence,
    payload: { clientId: family.clientId, userId: family.userId },
  });
  const { accessToken, refreshToken, keyThumbprint, ...rest } = successor;
  return {
    ...rest,
    keyThumbprint,
    family,
    accessToken: accessToken === undefined ? undefined : new Secret(accessToken),
    refreshToken: new Secret(refreshToken),
  };
}

// The context names the row, so that the seal opens nowhere else.
const context = (tx: Tx, tokenHash: string): string => `refresh_tokens/${tx.instanceId}/${tokenHash}/successor`;
