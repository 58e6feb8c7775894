import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  findUserScope,
  holdAuthorizedUser,
  mayRedeem,
  recordUserEvent,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { type SentFactor, verifiedRecipient } from "./add-otp.ts";
import { hasFactorOfKind, insertReadyFactor } from "./factor.store.ts";
import { enrolmentOf } from "./otp-enrolment.ts";

/**
 * What a code did. `confirmed`: it was right, and the factor is on. `unchallenged`: no code waits to come back. `present`: the person has the factor
 * already; the code proved nothing.
 */
export type OtpConfirmation = "confirmed" | "wrong" | "unchallenged" | "present";

/**
 * Switches one-time codes by e-mail or SMS on, by the code that `startOtp` has sent, which is used up. Nothing is thrown for a wrong code, because the
 * count of it must be committed; too many end that code, as they end all that are sent.
 */
export function confirmOtp(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { userId, kind, code }: { readonly userId: string; readonly kind: SentFactor; readonly code: string },
): Promise<OtpConfirmation> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    if (await hasFactorOfKind(tx, userId, kind)) return "present";
    if (!mayRedeem(await findUserScope(tx, tx.instanceId, userId))) return "unchallenged";
    const recipient = verifiedRecipient(user, kind);
    const secret = new Secret(code);
    const redemption = await redeemOneTimeSecret(tx, { ...enrolmentOf(userId, kind), secret });
    if (redemption.outcome === "absent") return "unchallenged";
    // It shows that the address is reached to which it went, and no other.
    if (redemption.outcome === "wrong" || redemption.bound["recipient"] !== recipient) {
      await recordUserEvent(tx, user, { type: `user.${kind}_check.failed` });
      return "wrong";
    }
    await insertReadyFactor(tx, userId, kind);
    await recordUserEvent(tx, user, { type: `user.${kind}_check.succeeded` });
    await recordUserEvent(tx, user, { type: `user.${kind}.added` });
    return "confirmed";
  });
}
