import type { Tx } from "../../database/index.ts";
import { deleteOneTimeSecrets } from "../one-time-secret/index.ts";
import type { HumanUser } from "../user/index.ts";
import { insertReadyFactor, markTotpReady } from "./factor.store.ts";
import type { FactorKind } from "./factor.ts";
import { isSecondFactor } from "./has-second-factor.ts";

/**
 * Step: gives a user a factor that was just proven, and uses up the codes that could have begun the account, or added a
 * passkey beside a second factor: they were sent or read when the account was less protected. A user who has yet to
 * begin needs the code for it, and it opens nothing but a password. False when the user has the factor already.
 */
export async function putReadyFactor(
  tx: Tx,
  { userId, state }: Pick<HumanUser, "userId" | "state">,
  kind: FactorKind,
): Promise<boolean> {
  if (kind === "totp") await markTotpReady(tx, userId);
  else if (!(await insertReadyFactor(tx, userId, kind))) return false;
  await deleteOneTimeSecrets(tx, userId, [
    "invitation",
    ...(state === "initial" ? [] : (["initialization"] as const)),
    ...(isSecondFactor(kind) ? (["passkey_registration"] as const) : []),
  ]);
  return true;
}
