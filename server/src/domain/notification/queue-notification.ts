import type { IdGenerator } from "../../base/id.ts";
import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import { insertNotification, supersedeNotifications } from "./notification.store.ts";
import { defaultLifetime, type Notification, type NotificationValues, vaultContext } from "./notification.ts";

export interface QueueDeps {
  readonly newId: IdGenerator;
  readonly vault: Pick<Vault, "encrypt">;
}

type Addressed = Pick<Notification, "kind" | "channel" | "userId" | "organizationId" | "recipient" | "language">;

export interface NewNotification extends Addressed {
  readonly values: NotificationValues;
  readonly expiresAt?: number;
}

/** Step: queues a message, in the transaction that causes it. */
export async function queueNotification(tx: Tx, deps: QueueDeps, input: NewNotification): Promise<void> {
  const { values, expiresAt, ...rest } = input;
  const notificationId = deps.newId();
  await supersedeNotifications(tx, input.userId, input.kind);
  await insertNotification(tx, {
    ...rest,
    notificationId,
    sealedValues: deps.vault.encrypt(JSON.stringify(values), vaultContext(tx.instanceId, notificationId)),
    expiresAt: expiresAt ?? tx.now + defaultLifetime,
  });
}
