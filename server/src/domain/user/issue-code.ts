import type { Random } from "../../base/random.ts";
import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { type NotificationValues, type QueueDeps, queueNotification } from "../notification/index.ts";
import { findOneTimeSecret, generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import type { CodeKind } from "./code-kind.ts";
import { isTooSoon } from "./code-pause.ts";
import { assertedBy } from "./contact-proof.ts";
import { chooseMessageLink } from "./message-link.ts";
import { recordUserEvent } from "./record-user.ts";
import type { HumanUser } from "./user.ts";

export interface CodeDeps extends QueueDeps {
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
      /** The caller took the message from the budgets already. */
      readonly isPaid?: boolean;
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
 * to be handed out. Callers have made sure that the code may be returned.
 */
export async function issueCode(tx: Tx, deps: CodeDeps, user: HumanUser, input: NewCode): Promise<Secret | undefined> {
  const { kind, channel, recipient, delivery } = input;
  if (delivery.by === "message" && delivery.pause !== undefined) {
    const former = await findOneTimeSecret(tx, tx.instanceId, { kind, subjectId: user.userId });
    if (former?.bound["recipient"] === recipient && isTooSoon(former, delivery.pause, tx.now)) return undefined;
  }
  const format = await readCodeFormat(tx, tx.instanceId, kind);
  const code = generateCode(deps.random, format);
  const values = delivery.by === "message" ? await toValues(tx, user, delivery) : {};
  // A caller who reads the code in an answer has not shown that they read what is sent there.
  const word = delivery.by === "return" ? { proof: JSON.stringify(assertedBy(tx.call, user.organizationId)) } : {};
  const { expiresAt } = await putOneTimeSecret(tx, {
    kind,
    subjectId: user.userId,
    secret: code,
    bound: { recipient, by: delivery.by, ...word, ...values },
    lifetimeSeconds: format.lifetimeSeconds,
  });
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
  });
  return undefined;
}

/** Returns the language of messages to a user: the user's own, else the instance's. */
export async function languageOf(tx: Tx, user: HumanUser): Promise<string> {
  return user.profile.preferredLanguage ?? (await findInstance(tx, tx.instanceId))?.defaultLanguage ?? tx.call.language;
}

async function toValues(
  tx: Tx,
  user: HumanUser,
  { urlTemplate: template, applicationName }: Extract<CodeDelivery, { by: "message" }>,
): Promise<NotificationValues & Record<string, string>> {
  const placeholders = urlPlaceholders;
  const urlTemplate = await chooseMessageLink(tx, { user, template, placeholders, field: "urlTemplate" });
  return {
    ...(urlTemplate !== undefined && { urlTemplate }),
    ...(applicationName !== undefined && { applicationName }),
  };
}
