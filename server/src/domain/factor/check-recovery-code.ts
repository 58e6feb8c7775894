import type { Call } from "../../call/index.ts";
import { deleteFactor } from "./delete-factor.ts";
import type { FactorCheck, FactorUser } from "./factor.ts";
import { type CheckFactorDeps, checkCodeFactor } from "./guess-factor.ts";
import { consumeRecoveryCode, countRecoveryCodes } from "./recovery-code.store.ts";
import { digestRecoveryCode } from "./recovery-code.ts";

/** Checks a recovery code. A right code is consumed; after the last one the user no longer has the factor. */
export function checkRecoveryCode(
  deps: CheckFactorDeps,
  call: Call,
  { user, code }: { readonly user: FactorUser; readonly code: string },
): Promise<FactorCheck> {
  const { userId } = user;
  return checkCodeFactor(deps, call, { user, kind: "recovery_codes", code }, async (tx) => {
    const digest = digestRecoveryCode({ instanceId: tx.instanceId, userId }, code);
    if (!(await consumeRecoveryCode(tx, userId, digest))) return "wrong";
    if ((await countRecoveryCodes(tx, tx.instanceId, userId)) === 0) await deleteFactor(tx, userId, "recovery_codes");
    return "right";
  });
}
