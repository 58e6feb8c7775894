import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import { generateCode } from "../one-time-secret/index.ts";
import {
  type HumanUser,
  holdAuthorizedUser,
  recordUserEvent,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { deleteFactor } from "./delete-factor.ts";
import { insertReadyFactor, listReadyFactors } from "./factor.store.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { deleteRecoveryCodes, insertRecoveryCodes } from "./recovery-code.store.ts";
import { digestRecoveryCode, recoveryCodeFormat, toLegible } from "./recovery-code.ts";

/** How many codes the pages make: as many as fit on a small piece of paper. */
export const usualCodeCount = 10;

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
    return replaceCodes(tx, deps, user, count);
  });
}

/**
 * Generates recovery codes for a user who has just added a first second factor, shown only now. Returns undefined for a
 * user who has recovery codes, or another second factor: codes that were noted down are never replaced unasked.
 */
export function generateFirstRecoveryCodes(
  deps: FactorDeps,
  call: Call,
  { userId }: { readonly userId: string },
): Promise<readonly Secret[] | undefined> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    const ready = await listReadyFactors(tx, tx.instanceId, userId);
    // A passkey alone is enough to sign in.
    const isFirst = ready.filter((kind) => kind !== "passkey").length === 1;
    if (!isFirst || ready.includes("recovery_codes")) return undefined;
    return (await replaceCodes(tx, deps, user, usualCodeCount)).codes;
  });
}

async function replaceCodes(
  tx: Tx,
  { random }: FactorDeps,
  user: HumanUser,
  count: number,
): Promise<{ readonly details: Details; readonly codes: readonly Secret[] }> {
  const { userId } = user;
  await deleteRecoveryCodes(tx, userId);
  await deleteFactor(tx, userId, "recovery_codes");
  await insertReadyFactor(tx, userId, "recovery_codes");
  const codes = Array.from({ length: count }, () => toLegible(generateCode(random, recoveryCodeFormat)));
  const owner = { instanceId: tx.instanceId, userId };
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => digestRecoveryCode(owner, code)),
  );
  const sequence = await recordUserEvent(tx, user, { type: "user.recovery_codes.generated", payload: { count } });
  const details = { ...user.details, sequence, changedAt: tx.now };
  return { details, codes: codes.map((code) => new Secret(code)) };
}
