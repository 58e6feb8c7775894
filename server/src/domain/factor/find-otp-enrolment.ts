import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import type { HumanUser } from "../user/index.ts";
import { currentRecipient, type SentFactor } from "./add-otp.ts";
import { enrolmentOf, pauseAfter } from "./otp-enrolment.ts";

/** A code that was sent and has not been entered yet. */
export interface OtpEnrolment {
  /** Where it was sent. */
  readonly recipient: string;
  /** Milliseconds until another code can be sent; 0 when immediately. */
  readonly wait: number;
}

/**
 * Finds the code that a user was sent, however old; undefined when none was sent to the user's current address or
 * number.
 */
export async function findOtpEnrolment(
  reader: Reader,
  { instanceId, now }: Call,
  { user, kind }: { readonly user: HumanUser; readonly kind: SentFactor },
): Promise<OtpEnrolment | undefined> {
  const recipient = currentRecipient(user, kind);
  if (recipient === undefined) return undefined;
  const sent = await findOneTimeSecret(reader, instanceId, enrolmentOf(user.userId, kind));
  if (sent?.consumedAt !== null || sent.bound["recipient"] !== recipient) return undefined;
  return { recipient, wait: pauseAfter(sent, now) };
}
