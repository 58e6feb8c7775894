import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findUser, leaveInitialState, readDetails, recordUserEvent, toldProof } from "../user/index.ts";
import { updateEmailVerified } from "./contact.store.ts";
import type { ContactProofDeps } from "./is-good-proof.ts";
import { codeInvalid, redeemCode } from "./redeem-code.ts";

/** Proves an email address by the code that was sent to it. The code is the permission. */
export async function verifyEmail(
  deps: ContactProofDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly code: string },
): Promise<Details> {
  const details = await deps.database.change(call, async (tx) => {
    const redeemed = await redeemCode(tx, deps, { ...input, kind: "email_verification" });
    const user = redeemed && (await findUser(tx, tx.instanceId, input.userId));
    if (redeemed === undefined || user === undefined) return undefined;
    const { recipient: address, proof } = redeemed;
    const isVerified = await updateEmailVerified(tx, input.userId, { address, proof });
    const type = isVerified ? "user.email.verified" : "user.email_verification_check.failed";
    await recordUserEvent(tx, user, {
      type,
      payload: { email: address, ...(isVerified && { proof: toldProof(proof) }) },
    });
    if (!isVerified) return undefined;
    await leaveInitialState(tx, user);
    return readDetails(tx, user);
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
