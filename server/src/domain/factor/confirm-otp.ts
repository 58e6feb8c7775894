import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { mayRedeem } from "../contact/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import {
  type AuthorizeDeps,
  findUserScope,
  holdAuthorizedUser,
  recordUserEvent,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { type SentFactor, verifiedRecipient } from "./add-otp.ts";
import { hasFactorOfKind } from "./factor.store.ts";
import { enrolmentOf } from "./otp-enrolment.ts";
import { putReadyFactor } from "./put-ready-factor.ts";

/**
 * The effect of a code. `confirmed`: it was right, and the factor is enabled. `unchallenged`: no code is outstanding.
 * `present`: the user has the factor already, and the code was not evaluated.
 */
export type OtpConfirmation = "confirmed" | "wrong" | "unchallenged" | "present";

/**
 * Enables one-time codes by email or SMS with the code that `startOtp` sent, and consumes the code. A wrong code is
 * returned and not thrown, because its count must be committed; too many of them invalidate the code, as for every code
 * that is sent.
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
    // The code proves only the address or number to which it was sent.
    if (redemption.outcome === "wrong" || redemption.bound["recipient"] !== recipient) {
      await recordUserEvent(tx, user, { type: `user.${kind}_check.failed` });
      return "wrong";
    }
    await putReadyFactor(tx, user, kind);
    await recordUserEvent(tx, user, { type: `user.${kind}_check.succeeded` });
    await recordUserEvent(tx, user, { type: `user.${kind}.added` });
    return "confirmed";
  });
}
