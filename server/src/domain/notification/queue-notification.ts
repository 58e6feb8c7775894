import type { IdGenerator } from "../../base/id.ts";
import type { Signal } from "../../base/signal.ts";
import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import { type MessageBudgets, takeMessage } from "../message-provider/index.ts";
import { insertNotification, supersedeNotifications } from "./notification.store.ts";
import {
  defaultLifetime,
  type Notification,
  type NotificationKind,
  type NotificationValues,
  vaultContext,
} from "./notification.ts";
import { isTooMany } from "./quietly.ts";

export interface QueueDeps {
  readonly messageBudgets: MessageBudgets;
  readonly newId: IdGenerator;
  readonly vault: Pick<Vault, "encrypt">;
}

/**
 * For callers that queue a message in a unit of work without an event: given afterwards, so that the message is sent at
 * once. Otherwise a job finds it soon.
 */
export interface SignalDeps {
  readonly messageQueued: Pick<Signal, "give">;
}

type Addressed = Pick<Notification, "kind" | "channel" | "userId" | "organizationId" | "recipient" | "language">;

export interface NewNotification extends Addressed {
  readonly values: NotificationValues;
  /** The subject of the message, if a user may wait for several of a kind: the session that a code is for. */
  readonly subjectId?: string;
  readonly expiresAt?: number;
  /** The caller took the message from the budgets already (`payForMessage`). */
  readonly isPaid?: boolean;
}

const notices: ReadonlySet<NotificationKind> = new Set(["password_changed", "domain_claimed"]);

/**
 * Step: queues a message in the transaction that causes it. An unsent message of the same kind and subject is
 * superseded. Throws the Fault `message.too_many` when the recipient, user, organization or instance has had too many;
 * a notice is left out then, because what it tells of must happen all the same.
 */
export async function queueNotification(tx: Tx, deps: QueueDeps, input: NewNotification): Promise<void> {
  const { values, expiresAt, subjectId = "", isPaid = false, ...rest } = input;
  const isNotice = notices.has(input.kind);
  try {
    if (!isPaid) await takeMessage(tx, deps, { ...input, purpose: isNotice ? "notice" : "code" });
  } catch (error) {
    if (isNotice && isTooMany(error)) return;
    throw error;
  }
  const notificationId = deps.newId();
  await supersedeNotifications(tx, { userId: input.userId, kind: input.kind, subjectId });
  await insertNotification(tx, {
    ...rest,
    subjectId,
    notificationId,
    sealedValues: deps.vault.encrypt(JSON.stringify(values), vaultContext(tx.instanceId, notificationId)),
    expiresAt: expiresAt ?? tx.now + defaultLifetime,
  });
}
