import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import {
  type AuthorizeDeps,
  type HumanUser,
  holdAuthorizedUser,
  recordUserEvent,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { putReadyFactor } from "./put-ready-factor.ts";

/** Factors with codes that are sent. */
export type SentFactor = "otp_email" | "otp_sms";

/**
 * Enables one-time codes by email or SMS for a user through the API, without asking for a code: pages use `startOtp`.
 * The address or number must be verified. Enabling an enabled factor is accepted.
 */
export function addOtp(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { userId, kind }: { readonly userId: string; readonly kind: SentFactor },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    verifiedRecipient(user, kind);
    if (!(await putReadyFactor(tx, user, kind))) return user.details;
    const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.added` });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}

/** Returns where codes for a user are sent. Throws when the user has no verified address or number. */
export function verifiedRecipient(user: HumanUser, kind: SentFactor): string {
  const recipient = currentRecipient(user, kind);
  if (recipient !== undefined) return recipient;
  throw new Fault("failed_precondition", kind === "otp_email" ? "user.email_unverified" : "user.phone_absent");
}

/** The same without throwing; undefined when the user has no verified address or number. */
export function currentRecipient({ email, phone }: HumanUser, kind: SentFactor): string | undefined {
  if (kind === "otp_email") return email.isVerified ? email.address : undefined;
  return phone?.isVerified === true ? phone.number : undefined;
}
