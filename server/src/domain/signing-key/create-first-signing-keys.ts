import type { Tx } from "../../database/index.ts";
import { type AddSigningKeyDeps, addFirstSigningKey } from "./add-signing-key.ts";
import { type GeneratedKeyPair, generateKeyPair } from "./generate-key-pair.ts";

/**
 * Generates the pairs of a new instance: RS256, which every client supports, for id tokens, and ES256, ten times as
 * fast, for JWT access tokens. Called before the unit of work that `createFirstSigningKeys` joins.
 */
export function generateFirstKeyPairs(): Promise<readonly GeneratedKeyPair[]> {
  return Promise.all([
    generateKeyPair({ kind: "rsa", bits: 2048, hash: "sha256" }),
    generateKeyPair({ kind: "ecdsa", curve: "P-256" }),
  ]);
}

/** Step: gives a new instance its first keys, both active. */
export async function createFirstSigningKeys(
  tx: Tx,
  deps: AddSigningKeyDeps,
  pairs: readonly GeneratedKeyPair[],
): Promise<void> {
  for (const pair of pairs) await addFirstSigningKey(tx, deps, pair);
}
