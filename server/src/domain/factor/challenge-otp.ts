import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { fillUrlTemplate, parseUrlTemplate } from "../notification/index.ts";
import { generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { type CodeDelivery, type CodeDeps, findUser, type HumanUser, languageOf, requireHuman } from "../user/index.ts";
import { type SentFactor, verifiedRecipient } from "./add-otp.ts";
import { holdFactor } from "./factor.store.ts";
import { queueOtp } from "./queue-otp.ts";

export interface OtpChallenge {
  readonly kind: SentFactor;
  readonly userId: string;
  /** The code is good for this session alone. */
  readonly sessionId: string;
  readonly delivery: CodeDelivery;
  /** Input that asked for it, for refusals. */
  readonly field: string;
}

const placeholders = ["Code", "UserID", "LoginName", "DisplayName", "PreferredLanguage", "SessionID"] as const;

/**
 * Step: makes a code for a session; the former one of the kind is dead. Queues the message, or returns the code to be handed out. Throws when the
 * person does not have the factor, or too many codes were wrong.
 */
export async function challengeOtp(tx: Tx, deps: CodeDeps, challenge: OtpChallenge): Promise<Secret | undefined> {
  const { kind, userId, sessionId, delivery, field } = challenge;
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
  if (delivery.by === "return") return code;
  const language = await languageOf(tx, user);
  const urlTemplate = toLink(delivery.urlTemplate, { user, code, sessionId, language }, field);
  // Each session waits for its own code.
  await queueOtp(tx, deps, { user, kind, subjectId: sessionId, recipient, language, code, urlTemplate, expiresAt });
  return undefined;
}

interface LinkValues {
  readonly user: HumanUser;
  readonly code: Secret;
  readonly sessionId: string;
  readonly language: string;
}

// Filled here: whoever sends the message does not know the session.
function toLink(template: string | undefined, values: LinkValues, field: string): string | undefined {
  if (template === undefined) return undefined;
  const { user, code, sessionId, language } = values;
  return fillUrlTemplate(parseUrlTemplate(template, placeholders, `${field}.sendCode.urlTemplate`), {
    Code: code.reveal(),
    UserID: user.userId,
    LoginName: user.preferredLoginName,
    DisplayName: user.displayName,
    PreferredLanguage: language,
    SessionID: sessionId,
  });
}
