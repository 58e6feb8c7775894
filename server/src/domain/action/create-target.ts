import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { generateSecret, type Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { recordTarget } from "./record-target.ts";
import { insertTarget } from "./target.store.ts";
import { checkTarget, signingKeyContext, type Target, type TargetInput } from "./target.ts";

export interface TargetDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly vault: Vault;
}

/** A new target with the key that signs its calls. The key is shown only here. */
export interface CreatedTarget {
  readonly target: Target;
  readonly signingKey: Secret;
}

/** Creates a target. Throws the Faults of `checkTarget`. */
export async function createTarget(deps: TargetDeps, call: Call, input: TargetInput): Promise<CreatedTarget> {
  const checked = checkTarget(input);
  const targetId = deps.newId();
  const signingKey = generateSecret(deps.random);
  const sealed = deps.vault.encrypt(signingKey, signingKeyContext(call.instanceId, targetId));
  const target = await deps.database.change(call, async (tx) => {
    const inserted = await insertTarget(tx, { ...checked, targetId, signingKey: sealed });
    recordTarget(tx, inserted, "target.created");
    return inserted;
  });
  return { target, signingKey };
}
