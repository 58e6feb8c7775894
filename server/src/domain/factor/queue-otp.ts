import type { Instant } from "../../base/clock.ts";
import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import type { CodeDeps } from "../contact/index.ts";
import { queueNotification } from "../notification/index.ts";
import type { HumanUser } from "../user/index.ts";
import type { SentFactor } from "./add-otp.ts";

export interface OtpMessage {
  readonly user: HumanUser;
  readonly kind: SentFactor;
  /** The subject of the code; an unsent message of the same kind and subject is replaced. */
  readonly subjectId: string;
  readonly recipient: string;
  readonly language: string;
  readonly code: Secret;
  readonly urlTemplate?: string | undefined;
  readonly expiresAt: Instant;
  /** The user has just proven a first factor, and needs the code to continue. */
  readonly isAfterFirstFactor?: boolean;
}

/** Step: queues the message with a code. */
export function queueOtp(tx: Tx, deps: CodeDeps, message: OtpMessage): Promise<void> {
  const {
    user,
    kind,
    subjectId,
    recipient,
    language,
    code,
    urlTemplate,
    expiresAt,
    isAfterFirstFactor = false,
  } = message;
  return queueNotification(tx, deps, {
    kind,
    channel: kind === "otp_email" ? "email" : "sms",
    userId: user.userId,
    subjectId,
    organizationId: user.organizationId,
    recipient,
    language,
    values: { code: code.reveal(), ...(urlTemplate !== undefined && { urlTemplate }) },
    expiresAt,
    isAfterFirstFactor,
  });
}
