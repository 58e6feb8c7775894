import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { generateCode } from "../one-time-secret/index.ts";
import { holdAuthorizedUser, recordUserEvent, requireHuman, writeOwnCredential } from "../user/index.ts";
import { deleteFactor, insertReadyFactor } from "./factor.store.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { deleteRecoveryCodes, insertRecoveryCode } from "./recovery-code.store.ts";
import { digestRecoveryCode, recoveryCodeFormat, toLegible } from "./recovery-code.ts";

/**
 * Generates recovery codes for a user, shown only now. Earlier codes become invalid, and wrong guesses at them are
 * forgotten.
 */
export function generateRecoveryCodes(
  deps: FactorDeps,
  call: Call,
  { userId, count }: { readonly userId: string; readonly count: number },
): Promise<{ readonly details: Details; readonly codes: readonly Secret[] }> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    await deleteRecoveryCodes(tx, userId);
    await deleteFactor(tx, userId, "recovery_codes");
    await insertReadyFactor(tx, userId, "recovery_codes");
    const codes = Array.from({ length: count }, () => toLegible(generateCode(deps.random, recoveryCodeFormat)));
    for (const code of codes) {
      await insertRecoveryCode(tx, userId, digestRecoveryCode({ instanceId: tx.instanceId, userId }, code));
    }
    const sequence = await recordUserEvent(tx, user, { type: "user.recovery_codes.generated", payload: { count } });
    const details = { ...user.details, sequence, changedAt: tx.now };
    return { details, codes: codes.map((code) => new Secret(code)) };
  });
}
