import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { updateEmailVerified } from "./contact.store.ts";
import { leaveInitialState } from "./leave-initial-state.ts";
import { readDetails } from "./read-details.ts";
import { recordUserEvent } from "./record-user.ts";
import { codeInvalid, redeemCode } from "./redeem-code.ts";
import { findUser } from "./user.store.ts";

/** Accepts an invitation by its code, which also proves the e-mail address that it was sent to. The code is the permission. */
export async function verifyInvitation(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly code: string },
): Promise<Details> {
  const details = await deps.database.change(call, async (tx) => {
    const redeemed = await redeemCode(tx, { ...input, kind: "invitation" });
    const user = redeemed && (await findUser(tx, tx.instanceId, input.userId));
    if (redeemed === undefined || user === undefined) return undefined;
    await updateEmailVerified(tx, input.userId, redeemed.recipient);
    await recordUserEvent(tx, user, { type: "user.invitation.accepted", payload: { email: redeemed.recipient } });
    await leaveInitialState(tx, user);
    return readDetails(tx, user);
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
