import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { checkOneTimeSecret, redeemOneTimeSecret } from "../one-time-secret/index.ts";
import type { Problem } from "../sign-in/index.ts";
import type { PendingSignUp } from "./pending-sign-up.ts";

/** The only answer to every wrong code. */
export const wrongCode: Problem = { field: "code", id: "user.code_invalid" };

/**
 * Returns whether the code is that of the message; a wrong one is counted, and after several no code is accepted.
 */
export async function isRightSignUpCode(
  { database }: { readonly database: Database },
  call: Call,
  { userId }: PendingSignUp,
  code: string,
): Promise<boolean> {
  const key = { kind: "sign_up", subjectId: userId } as const;
  return (await database.touch(call, (tx) => checkOneTimeSecret(tx, { ...key, secret: new Secret(code) }))) === "right";
}

/** Step: uses the code up. Returns false when the same form, sent twice, has done so since it was checked. */
export async function redeemSignUpCode(tx: Tx, { userId }: PendingSignUp, code: string): Promise<boolean> {
  const key = { kind: "sign_up", subjectId: userId } as const;
  const { outcome } = await redeemOneTimeSecret(tx, { ...key, secret: new Secret(code) });
  return outcome === "redeemed";
}
