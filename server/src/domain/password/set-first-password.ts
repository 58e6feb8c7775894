import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { checkCode, codeInvalid, redeemCode, updateEmailVerified } from "../contact/index.ts";
import { findUser, hasBegun, recordUserEvent, toldProof } from "../user/index.ts";
import { preparePassword } from "./prepare-password.ts";
import { applyPassword, type SetPasswordDeps } from "./set-password.ts";

export interface SetFirstPassword {
  readonly userId: string;
  /** The kind of code with which the user was asked to begin. */
  readonly kind: "initialization" | "invitation";
  readonly code: string;
  readonly password: string;
}

const events = { initialization: "user.email.verified", invitation: "user.invitation.accepted" } as const;

/**
 * Begins an account with the code of the message about it: proves the address that it was sent to, and sets the
 * password. The code is the permission; it stays valid when the password is refused. An invitation lets in no user who
 * has a password or a factor by now.
 */
export async function setFirstPassword(deps: SetPasswordDeps, call: Call, input: SetFirstPassword): Promise<Details> {
  const { userId, kind, code } = input;
  // First, as for every code: what refuses the password would tell a caller without the code about the user.
  const user = await checkCode(deps, call, { userId, kind, code });
  const password = await preparePassword(deps, call, user, { password: input.password, isChangeRequired: false });
  const details = await deps.database.change(call, async (tx) => {
    // Asked inside, where an invitation may have been accepted in another way meanwhile.
    const invited = kind === "invitation" ? await findUser(tx, tx.instanceId, userId) : undefined;
    if (invited?.kind === "human" && (await hasBegun(tx, invited))) return undefined;
    const redeemed = await redeemCode(tx, deps, { userId, kind, code });
    if (redeemed === undefined) return undefined;
    const { recipient: address, proof, author } = redeemed;
    await updateEmailVerified(tx, userId, { address, proof });
    await recordUserEvent(tx, user, { type: events[kind], payload: { email: address, proof: toldProof(proof) } });
    return applyPassword(tx, deps, user, { ...password, author });
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
