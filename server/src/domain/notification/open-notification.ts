import type { Vault } from "../../base/vault.ts";
import { type Notification, type NotificationValues, vaultContext } from "./notification.ts";

/** Decrypts the values of a message. Throws VaultError when the row was altered or its master key is missing. */
export function openNotification(
  vault: Pick<Vault, "decrypt">,
  instanceId: string,
  notification: Pick<Notification, "notificationId" | "sealedValues">,
): NotificationValues {
  // Notices of changes have no values, so there is nothing to keep secret.
  if (notification.sealedValues === "") return {};
  const values = vault.decrypt(notification.sealedValues, vaultContext(instanceId, notification.notificationId));
  return JSON.parse(values.reveal()) as NotificationValues;
}
