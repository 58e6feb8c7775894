import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { type CodeDelivery, type CodeDeps, chooseMessageLink, languageOf } from "../contact/index.ts";
import { fillUrlTemplate } from "../notification/index.ts";
import { generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { findUser, type HumanUser, requireHuman } from "../user/index.ts";
import { type SentFactor, verifiedRecipient } from "./add-otp.ts";
import { holdFactor } from "./factor.store.ts";
import { queueOtp } from "./queue-otp.ts";

export interface OtpChallenge {
  readonly kind: SentFactor;
  readonly userId: string;
  /** The code is valid for this session only. */
  readonly sessionId: string;
  readonly delivery: CodeDelivery;
  /** Whether the session has a first factor: its code does not count with those that anyone may ask for. */
  readonly isAfterFirstFactor: boolean;
  /** Name of the input that asked for the code, for error messages. */
  readonly field: string;
}

/** A code that was created for a session. */
export interface ChallengedOtp {
  /** The code, when it was to be returned. */
  readonly code: Secret | undefined;
  /** Whether others than the user can read it: it was returned, or a link brings it to a page of an organization. */
  readonly isReadByOthers: boolean;
}

const placeholders = ["Code", "UserID", "LoginName", "DisplayName", "PreferredLanguage", "SessionID"] as const;

/**
 * Step: creates a code for a session; the former code of that kind becomes invalid. Queues the message, or returns the
 * code for the caller to deliver. Throws when the user does not have the factor, or after too many wrong codes.
 */
export async function challengeOtp(tx: Tx, deps: CodeDeps, challenge: OtpChallenge): Promise<ChallengedOtp> {
  const { kind, userId, sessionId, delivery, isAfterFirstFactor, field } = challenge;
  const factor = await holdFactor(tx, userId, kind);
  const found = factor && (await findUser(tx, tx.instanceId, userId));
  if (found === undefined) throw new Fault("failed_precondition", "factor.absent", { field });
  if (factor?.blockedAt !== null) throw new Fault("failed_precondition", "factor.blocked", { field });
  const user = requireHuman(found);
  const recipient = verifiedRecipient(user, kind);
  const format = await readCodeFormat(tx, tx.instanceId, kind);
  const code = generateCode(deps.random, format);
  const { expiresAt } = await putOneTimeSecret(tx, {
    kind: `session_${kind}`,
    subjectId: sessionId,
    secret: code,
    bound: { userId, recipient },
    lifetimeSeconds: format.lifetimeSeconds,
  });
  if (delivery.by === "return") return { code, isReadByOthers: true };
  const language = await languageOf(tx, user);
  const link = await chooseMessageLink(tx, deps, {
    user,
    template: delivery.urlTemplate,
    placeholders,
    field: `${field}.sendCode.urlTemplate`,
  });
  const urlTemplate = link && toLink(link.template, { user, code, sessionId, language });
  // Each session has a code of its own.
  const message = { user, kind, subjectId: sessionId, recipient, language, code, urlTemplate, expiresAt };
  await queueOtp(tx, deps, { ...message, isAfterFirstFactor });
  return { code: undefined, isReadByOthers: link?.isOfInstance === false };
}

interface LinkValues {
  readonly user: HumanUser;
  readonly code: Secret;
  readonly sessionId: string;
  readonly language: string;
}

// The link is completed here, because the delivery does not know the session.
function toLink(template: string, { user, code, sessionId, language }: LinkValues): string {
  return fillUrlTemplate(template, {
    Code: code.reveal(),
    UserID: user.userId,
    LoginName: user.preferredLoginName,
    DisplayName: user.displayName,
    PreferredLanguage: language,
    SessionID: sessionId,
  });
}
