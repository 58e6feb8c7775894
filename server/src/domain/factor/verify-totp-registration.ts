import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { authorizeUser, holdAuthorizedUser, recordUserEvent, requireHuman, writeOwnCredential } from "../user/index.ts";
import { evaluateTotp } from "./check-totp.ts";
import { holdFactor } from "./factor.store.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { guessHeldFactor, isBlank, maximumGuesses } from "./guess-factor.ts";
import { putReadyFactor } from "./put-ready-factor.ts";
import { refuseFailedCheck } from "./refuse-check.ts";

/**
 * Confirms an authenticator app with one of its codes, which is consumed. Wrong codes count as they do when signing in.
 * Throws `factor.registration_absent` when no registration is pending.
 */
export async function verifyTotpRegistration(
  deps: FactorDeps,
  call: Call,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<Details> {
  if (isBlank(code)) refuseFailedCheck({ outcome: "missing" }, "code");
  const wanted = writeOwnCredential(deps);
  const maximum = await maximumGuesses(deps, call, await authorizeUser(deps.database.read, call, userId, wanted));
  const { check, details } = await deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, wanted));
    const factor = await holdFactor(tx, userId, "totp");
    if (factor?.state !== "pending") {
      throw new Fault("failed_precondition", "factor.registration_absent", { field: "userId" });
    }
    const held = { ...factor, kind: "totp" } as const;
    const found = await guessHeldFactor(tx, { user, factor: held, maximum }, evaluateTotp(deps, { userId, code }));
    if (found.outcome !== "correct") return { check: found, details: user.details };
    await putReadyFactor(tx, user, "totp");
    const sequence = await recordUserEvent(tx, user, { type: "user.totp.verified" });
    return { check: found, details: { ...user.details, sequence, changedAt: tx.now } };
  });
  refuseFailedCheck(check, "code");
  return details;
}
