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
import { insertReadyFactor } from "./factor.store.ts";

/** Factors whose codes are sent. */
export type SentFactor = "otp_email" | "otp_sms";

/**
 * Turns on one-time codes by e-mail or SMS for a person, as the API does, which has no code to ask for: pages use `startOtp`. The address or number
 * must be verified. Turned on already is fine.
 */
export function addOtp(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { userId, kind }: { readonly userId: string; readonly kind: SentFactor },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    verifiedRecipient(user, kind);
    if (!(await insertReadyFactor(tx, userId, kind))) return user.details;
    const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.added` });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}

/** Where codes for a person are sent to. Throws when nothing was proven to be his. */
export function verifiedRecipient(user: HumanUser, kind: SentFactor): string {
  const recipient = currentRecipient(user, kind);
  if (recipient !== undefined) return recipient;
  throw new Fault("failed_precondition", kind === "otp_email" ? "user.email_unverified" : "user.phone_absent");
}

/** The same for who does not mind; undefined when nothing was proven to be his. */
export function currentRecipient({ email, phone }: HumanUser, kind: SentFactor): string | undefined {
  if (kind === "otp_email") return email.isVerified ? email.address : undefined;
  return phone?.isVerified === true ? phone.number : undefined;
}
