import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { generateSecret, type Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { recordTarget } from "./record-target.ts";
import { countTargets, insertTarget } from "./target.store.ts";
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

// With their keys they are kept in memory, as the executions are that call them.
const mostTargets = 500;

/** Creates a target. Throws the Faults of `checkTarget`, and `target.too_many`. */
export async function createTarget(deps: TargetDeps, call: Call, input: TargetInput): Promise<CreatedTarget> {
  const checked = checkTarget(input);
  const targetId = deps.newId();
  const signingKey = generateSecret(deps.random);
  const sealed = deps.vault.encrypt(signingKey, signingKeyContext(call.instanceId, targetId));
  const target = await deps.database.change(call, async (tx) => {
    // Nothing is locked for it: targets that are created at the same time may be a few more.
    if ((await countTargets(tx, mostTargets)) >= mostTargets) {
      throw new Fault("resource_exhausted", "target.too_many", { values: { maximum: mostTargets } });
    }
    const inserted = await insertTarget(tx, { ...checked, targetId, signingKey: sealed });
    recordTarget(tx, inserted, "target.created");
    return inserted;
  });
  return { target, signingKey };
}
