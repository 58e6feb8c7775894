import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findUser, isSelf, recordUserEvent, toldProof } from "../user/index.ts";
import { updatePhoneVerified } from "./contact.store.ts";
import type { ContactProofDeps } from "./is-good-proof.ts";
import { nameContact } from "./name-contact.ts";
import { codeInvalid, redeemCode } from "./redeem-code.ts";

/**
 * Proves a phone number by the code that was sent to it. The code is the permission. Users who enter it themselves, in
 * a session that no administrator could have opened, have named the number: they see that it is theirs.
 */
export async function verifyPhone(
  deps: ContactProofDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly code: string },
): Promise<Details> {
  const details = await deps.database.change(call, async (tx) => {
    const redeemed = await redeemCode(tx, deps, { ...input, kind: "phone_verification" });
    const user = redeemed && (await findUser(tx, tx.instanceId, input.userId));
    if (redeemed === undefined || user?.kind !== "human") return undefined;
    const { recipient: number, proof } = redeemed;
    const isVerified = await updatePhoneVerified(tx, input.userId, { number, proof });
    if (isVerified && proof.by === "code" && isSelf(call, user.userId)) {
      await nameContact(tx, deps, user, { channel: "sms", isSame: true });
    }
    const type = isVerified ? "user.phone.verified" : "user.phone_verification_check.failed";
    const sequence = await recordUserEvent(tx, user, {
      type,
      payload: { phone: number, ...(isVerified && { proof: toldProof(proof) }) },
    });
    return isVerified ? { ...user.details, sequence, changedAt: tx.now } : undefined;
  });
  if (details === undefined) throw codeInvalid();
  return details;
}
