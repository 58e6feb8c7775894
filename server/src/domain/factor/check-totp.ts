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

/** Checks a code of a person's authenticator app, which is used up by it. */
export function checkTotp(
  deps: CheckTotpDeps,
  call: Call,
  { user, code }: { readonly user: FactorUser; readonly code: string },
): Promise<FactorCheck> {
  return checkCodeFactor(deps, call, { user, kind: "totp" }, evaluateTotp(deps, { userId: user.userId, code }));
}

/** Compares a code with those of the moment, and takes the time step that it is of: a step that was taken is as good as a wrong code. */
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
