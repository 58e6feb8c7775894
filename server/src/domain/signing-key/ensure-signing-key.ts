import type { SigningAlgorithm } from "../../base/jose/index.ts";
import type { Call } from "../../call/index.ts";
import { addFirstSigningKey } from "./add-signing-key.ts";
import type { CreateSigningKeyDeps } from "./create-signing-key.ts";
import { generateKeyPair } from "./generate-key-pair.ts";
import { parametersOf } from "./signing-key.ts";

const defaultRsaBits = 2048;

/**
 * Gives the instance an active key for an algorithm that has none, because an application asked for it. Of several
 * concurrent calls one creates the key; relying parties find it in the key set when they look for the `kid`.
 */
export async function ensureSigningKey(
  deps: CreateSigningKeyDeps,
  call: Call,
  algorithm: SigningAlgorithm,
): Promise<void> {
  const pair = await generateKeyPair(parametersOf(algorithm, defaultRsaBits));
  await deps.database.change(call, (tx) => addFirstSigningKey(tx, deps, pair));
}
