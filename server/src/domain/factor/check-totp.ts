import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import { takeTimeStep } from "./factor.store.ts";
import type { FactorCheck, FactorUser } from "./factor.ts";
import { type CheckFactorDeps, checkCodeFactor, type Evaluate } from "./guess-factor.ts";
import { matchTimeStep } from "./time-code.ts";
import { openTotpSecret } from "./totp-secret.ts";

export interface CheckTotpDeps extends CheckFactorDeps {
  readonly vault: Pick<Vault, "decrypt">;
}

/** Checks a code of the user's authenticator app. A right code is consumed. */
export function checkTotp(
  deps: CheckTotpDeps,
  call: Call,
  { user, code }: { readonly user: FactorUser; readonly code: string },
): Promise<FactorCheck> {
  return checkCodeFactor(deps, call, { user, kind: "totp", code }, evaluateTotp(deps, { userId: user.userId, code }));
}

/** Compares a code with the current ones, and claims its time step: a code of a step that was used counts as wrong. */
export function evaluateTotp(
  { vault }: Pick<CheckTotpDeps, "vault">,
  { userId, code }: { readonly userId: string; readonly code: string },
): Evaluate {
  return async (tx, { sealedSecret }) => {
    if (sealedSecret === null) return "wrong";
    const secret = openTotpSecret(vault, { instanceId: tx.instanceId, userId }, sealedSecret);
    const step = matchTimeStep(secret, code, tx.now);
    return step !== undefined && (await takeTimeStep(tx, userId, step)) ? "right" : "wrong";
  };
}
