import { generateSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { TargetDeps } from "./create-target.ts";
import { recordTarget } from "./record-target.ts";
import { holdTarget, updateTargetRow } from "./target.store.ts";
import { checkTarget, signingKeyContext, type Target, type TargetInput, targetAbsent } from "./target.ts";

export interface TargetChange extends Partial<TargetInput> {
  readonly targetId: string;
  /** Whether a new signing key replaces the current one, immediately. */
  readonly withNewSigningKey: boolean;
}

/** A changed target, with the new signing key if one was made. */
export interface UpdatedTarget {
  readonly target: Target;
  readonly signingKey?: Secret;
}

/** Changes the given fields of a target. Throws the Faults of `checkTarget` and `target.not_found`. */
export async function updateTarget(
  deps: Omit<TargetDeps, "newId">,
  call: Call,
  { targetId, withNewSigningKey, ...change }: TargetChange,
): Promise<UpdatedTarget> {
  const signingKey = withNewSigningKey ? generateSecret(deps.random) : undefined;
  const sealed = signingKey && deps.vault.encrypt(signingKey, signingKeyContext(call.instanceId, targetId));
  const target = await deps.database.change(call, async (tx) => {
    const present = await holdTarget(tx, targetId);
    if (present === undefined) throw targetAbsent("id");
    const wanted = checkTarget({ ...present, ...change });
    if (sealed === undefined && isSame(present, wanted)) return present;
    const updated = await updateTargetRow(tx, { ...wanted, targetId, signingKey: sealed });
    recordTarget(tx, updated, "target.updated", sealed === undefined ? {} : { isSigningKeyNew: true });
    return updated;
  });
  return { target, ...(signingKey && { signingKey }) };
}

const isSame = (present: TargetInput, wanted: TargetInput): boolean =>
  present.name === wanted.name &&
  present.kind === wanted.kind &&
  present.endpoint === wanted.endpoint &&
  present.timeout === wanted.timeout &&
  present.isInterrupting === wanted.isInterrupting &&
  present.payloadType === wanted.payloadType;
