import type { IdGenerator } from "../../base/id.ts";
import type { Signal } from "../../base/queue/signal.ts";
import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import { type MessageBudgets, takeMessage } from "../message-provider/index.ts";
import { insertNotification, supersedeNotifications } from "./notification.store.ts";
import { defaultLifetime, isNotice, type Notification, type NotificationValues, vaultContext } from "./notification.ts";

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
  /** The user has just proven a first factor, and needs the code to continue. */
  readonly isAfterFirstFactor?: boolean;
  /** The caller took the message from the budgets already (`payForMessage`). */
  readonly isPaid?: boolean;
  /** The caller named the user, not the recipient (`TakenMessage`). */
  readonly namesUser?: boolean;
}

/**
 * Step: queues a message in the transaction that causes it. An unsent message of the same kind and subject is
 * superseded. Throws the Fault `message.too_many` when the recipient, user, organization or instance has had too many.
 * A notice pays when it is sent (`claimNotification`), because the change that it announces must happen all the same.
 */
export async function queueNotification(tx: Tx, deps: QueueDeps, input: NewNotification): Promise<void> {
  const {
    values,
    expiresAt,
    subjectId = "",
    isAfterFirstFactor = false,
    isPaid = false,
    namesUser = false,
    ...rest
  } = input;
  const { channel, recipient, userId, organizationId, kind } = input;
  if (!isPaid && !isNotice(kind)) {
    const purpose = isAfterFirstFactor ? "sign_in" : kind === "password_reset" ? "reset" : "code";
    await takeMessage(tx, deps, { channel, recipient, userId, organizationId, purpose, namesUser });
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
