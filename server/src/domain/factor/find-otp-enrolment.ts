import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import type { HumanUser } from "../user/index.ts";
import { currentRecipient, type SentFactor } from "./add-otp.ts";
import { enrolmentOf, pauseAfter } from "./otp-enrolment.ts";

/** A code that was sent and has not come back. */
export interface OtpEnrolment {
  /** Where it was sent. */
  readonly recipient: string;
  /** Milliseconds until another one is sent; 0 when at once. */
  readonly wait: number;
}

/** The code that a person waits for, however old; undefined where none went to the address or number that he has now. */
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
