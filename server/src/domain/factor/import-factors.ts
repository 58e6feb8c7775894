import { decodeBase32 } from "../../base/base32.ts";
import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { type HumanUser, recordUserEvent } from "../user/index.ts";
import { insertReadyFactor, markTotpReady, upsertPendingTotp } from "./factor.store.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { insertRecoveryCodes } from "./recovery-code.store.ts";
import { digestRecoveryCode } from "./recovery-code.ts";
import { sealTotpSecret } from "./totp-secret.ts";

/** Factors that a new user brings from another system. */
export interface ImportedFactors {
  /** Secret of an authenticator app, base32. */
  readonly totpSecret?: string | undefined;
  /** Recovery codes in clear text. */
  readonly recoveryCodes?: readonly string[] | undefined;
}

// RFC 4226 §4 requires 128 bits; many systems generated 80, and apps accept them.
const secretBytes = { least: 10, most: 128 };
const mostRecoveryCodes = 64;
const shortestRecoveryCode = 8;

/**
 * Step: gives a new user the factors of another system, ready at once, because they were confirmed there. Creating
 * users is permission enough.
 */
export async function importFactors(
  tx: Tx,
  deps: Pick<FactorDeps, "vault">,
  user: HumanUser,
  { totpSecret, recoveryCodes = [] }: ImportedFactors,
): Promise<void> {
  const { userId } = user;
  const owner = { instanceId: tx.instanceId, userId };
  if (totpSecret !== undefined) {
    const bytes = decodeBase32(totpSecret);
    if (bytes === undefined || bytes.length < secretBytes.least || bytes.length > secretBytes.most) {
      throw new Fault("invalid_argument", "factor.totp_secret_invalid", { field: "totpSecret" });
    }
    await upsertPendingTotp(tx, userId, sealTotpSecret(deps.vault, owner, bytes));
    await markTotpReady(tx, userId);
    await recordUserEvent(tx, user, { type: "user.totp.added", payload: { isImported: true } });
    await recordUserEvent(tx, user, { type: "user.totp.verified" });
  }
  const hashes = new Set(recoveryCodes.map((code) => digestRecoveryCode(owner, checkCode(code))));
  if (hashes.size === 0) return;
  if (hashes.size > mostRecoveryCodes) {
    const values = { field: "recoveryCodes", maximum: mostRecoveryCodes };
    throw new Fault("invalid_argument", "field.too_many", { field: "recoveryCodes", values });
  }
  await insertReadyFactor(tx, userId, "recovery_codes");
  await insertRecoveryCodes(tx, userId, [...hashes]);
  const payload = { count: hashes.size, isImported: true };
  await recordUserEvent(tx, user, { type: "user.recovery_codes.generated", payload });
}

function checkCode(code: string): string {
  if (code.replace(/[\s-]/g, "").length >= shortestRecoveryCode) return code;
  const values = { minimum: shortestRecoveryCode };
  throw new Fault("invalid_argument", "factor.recovery_code_short", { field: "recoveryCodes", values });
}
