import { Fault } from "../../base/fault.ts";
import type { Random } from "../../base/random.ts";
import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { type NotificationValues, type QueueDeps, queueNotification } from "../notification/index.ts";
import { findOneTimeSecret, generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import {
  assertedBy,
  formatProof,
  type HumanUser,
  isSelf,
  type LinkDeps,
  reachesInstance,
  recordUserEvent,
} from "../user/index.ts";
import { authorOfCode, isGoodMessage, senderOfCode } from "./code-author.ts";
import type { CodeKind } from "./code-kind.ts";
import { putCodeOfAttempt } from "./code-of-attempt.ts";
import { isTooSoon } from "./code-pause.ts";
import type { ContactProofDeps } from "./is-good-proof.ts";
import { chooseMessageLink } from "./message-link.ts";

export interface CodeDeps extends QueueDeps, LinkDeps, ContactProofDeps {
  readonly random: Random;
}

/** How a code reaches the user: by a message, or by the caller who asked for it. */
export type CodeDelivery =
  | {
      readonly by: "message";
      readonly urlTemplate?: string | undefined;
      readonly applicationName?: string | undefined;
      /** Milliseconds for which a message to the same recipient stays, instead of being followed by another. */
      readonly pause?: number;
      /** The author of the former code whose link is sent again. */
      readonly author?: string | undefined;
      /** The sender of the former code (`senderOfFormerCode`). */
      readonly sentBy?: string | undefined;
      /** The caller took the message from the budgets already. */
      readonly isPaid?: boolean;
      /** The caller named the user, and is not told the recipient. */
      readonly namesUser?: boolean;
      /** The sign-in attempt in which the code can be typed. */
      readonly attemptId?: string;
    }
  | { readonly by: "return" };

export interface NewCode {
  readonly kind: CodeKind;
  readonly channel: "email" | "sms";
  /** Address or number; the code proves only this one. */
  readonly recipient: string;
  readonly delivery: CodeDelivery;
}

const urlPlaceholders = ["UserID", "OrgID", "Code", "LoginName"] as const;

/**
 * Step: creates a code for a user, and invalidates the former one of the kind. Queues the message, or returns the code
 * to be handed out. Callers have made sure that the code may be returned. A code that could not be used (`isGoodCode`)
 * is not made: administrators get the Fault `user.recipient_not_trusted`, users whose session others could have opened
 * `user.sign_in_not_trusted`, and pages reveal nothing.
 */
export async function issueCode(tx: Tx, deps: CodeDeps, user: HumanUser, input: NewCode): Promise<Secret | undefined> {
  const { kind, channel, recipient, delivery } = input;
  const sentBy = delivery.by === "message" ? (delivery.sentBy ?? senderOfCode(tx, user)) : undefined;
  if (delivery.by === "message" && !(await isGoodMessage(tx, tx.instanceId, deps, { user, recipient, sentBy }))) {
    if (tx.call.caller === undefined) return undefined;
    const isOwn = isSelf(tx.call, user.userId);
    throw new Fault("failed_precondition", isOwn ? "user.sign_in_not_trusted" : "user.recipient_not_trusted");
  }
  if (delivery.by === "message" && delivery.pause !== undefined) {
    const former = await findOneTimeSecret(tx, tx.instanceId, { kind, subjectId: user.userId });
    if (former?.bound["recipient"] === recipient && isTooSoon(former, delivery.pause, tx.now)) return undefined;
  }
  const format = await readCodeFormat(tx, tx.instanceId, kind);
  const code = generateCode(deps.random, format);
  const { values, isReadByOthers } =
    delivery.by === "message" ? await toValues(tx, deps, user, delivery) : { values: {}, isReadByOthers: true };
  const word = assertedBy(tx.call, user.organizationId);
  // A caller who reads the code in an answer has not shown that they read what is sent there. Nor has the user whose
  // link led to a page of an organization: its administrators have the code, and it proves no more than they could
  // assert.
  const isWord = delivery.by === "return" || (isReadByOthers && !reachesInstance(word));
  const former = delivery.by === "message" ? delivery.author : undefined;
  const author = authorOfCode(tx, user, { isReadByOthers, author: former });
  const { expiresAt } = await putOneTimeSecret(tx, {
    kind,
    subjectId: user.userId,
    secret: code,
    bound: {
      recipient,
      by: delivery.by,
      author,
      ...(sentBy !== undefined && { sentBy }),
      ...(isWord && { proof: formatProof(word) ?? "" }),
      ...values,
    },
    lifetimeSeconds: format.lifetimeSeconds,
  });
  if (delivery.by === "message" && delivery.attemptId !== undefined) {
    const { attemptId } = delivery;
    await putCodeOfAttempt(tx, { attemptId, userId: user.userId, code, lifetimeSeconds: format.lifetimeSeconds });
  }
  await recordUserEvent(tx, user, {
    type: `user.${kind}_code.added`,
    payload: { expiresAt, channel, isReturned: delivery.by === "return" },
  });
  if (delivery.by === "return") return code;
  await queueNotification(tx, deps, {
    kind,
    channel,
    userId: user.userId,
    organizationId: user.organizationId,
    recipient,
    language: await languageOf(tx, user),
    values: { ...values, code: code.reveal() },
    expiresAt,
    isPaid: delivery.isPaid === true,
    namesUser: delivery.namesUser === true,
  });
  return undefined;
}

/** Returns the language of messages to a user: the user's own, otherwise the instance's. */
export async function languageOf(tx: Tx, user: HumanUser): Promise<string> {
  return user.profile.preferredLanguage ?? (await findInstance(tx, tx.instanceId))?.defaultLanguage ?? tx.call.language;
}

async function toValues(
  tx: Tx,
  deps: LinkDeps,
  user: HumanUser,
  { urlTemplate: template, applicationName }: Extract<CodeDelivery, { by: "message" }>,
): Promise<{ readonly values: NotificationValues & Record<string, string>; readonly isReadByOthers: boolean }> {
  const placeholders = urlPlaceholders;
  const link = await chooseMessageLink(tx, deps, { user, template, placeholders, field: "urlTemplate" });
  const values = {
    ...(link !== undefined && { urlTemplate: link.template }),
    ...(applicationName !== undefined && { applicationName }),
  };
  return { values, isReadByOthers: link?.isOfInstance === false };
}
