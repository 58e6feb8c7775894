import type { SigningAlgorithm } from "../../base/jose/index.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { addFirstSigningKey } from "./add-signing-key.ts";
import type { CreateSigningKeyDeps } from "./create-signing-key.ts";
import { generateKeyPair } from "./generate-key-pair.ts";
import { parametersOf } from "./signing-key.ts";

const defaultRsaBits = 2048;

/**
 * Gives the instance an active key for an algorithm that has none, because an application asked for it. However many
 * ask at once, one key is generated; relying parties find it in the key set when they look for the `kid`.
 */
export function ensureSigningKey(deps: CreateSigningKeyDeps, call: Call, algorithm: SigningAlgorithm): Promise<void> {
  const ofDatabase = making.get(deps.database) ?? new Map<string, Promise<void>>();
  making.set(deps.database, ofDatabase);
  const key = `${call.instanceId}\n${algorithm}`;
  const begun = ofDatabase.get(key) ?? make(deps, call, algorithm).finally(() => ofDatabase.delete(key));
  ofDatabase.set(key, begun);
  return begun;
}

// Strangers begin sign-ins: what each of them waits for is made once.
const making = new WeakMap<Database, Map<string, Promise<void>>>();

async function make(deps: CreateSigningKeyDeps, call: Call, algorithm: SigningAlgorithm): Promise<void> {
  const pair = await generateKeyPair(parametersOf(algorithm, defaultRsaBits));
  await deps.database.change(call, (tx) => addFirstSigningKey(tx, deps, pair));
}
