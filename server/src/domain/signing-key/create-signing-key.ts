import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AddSigningKeyDeps, addSigningKey } from "./add-signing-key.ts";
import { type GeneratedKeyPair, generateKeyPair } from "./generate-key-pair.ts";
import type { SigningKeyParameters, SigningKeyRecord } from "./signing-key.ts";

export interface CreateSigningKeyDeps extends AddSigningKeyDeps {
  readonly database: Database;
}

/**
 * Creates a key and publishes it. It stays initial until it is activated, even when its algorithm is new. `generate`
 * makes the key pair, in its turn and paid.
 */
export async function createSigningKey(
  deps: CreateSigningKeyDeps,
  call: Call,
  parameters: SigningKeyParameters,
  generate: (make: () => Promise<GeneratedKeyPair>) => Promise<GeneratedKeyPair> = (make) => make(),
): Promise<SigningKeyRecord> {
  const pair = await generate(() => generateKeyPair(parameters, call.gone?.()));
  return deps.database.change(call, (tx) => addSigningKey(tx, deps, pair));
}
