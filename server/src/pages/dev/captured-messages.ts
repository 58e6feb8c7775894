import { toIso } from "../../base/clock.ts";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  fillUrlTemplate,
  listNewestNotifications,
  type Notification,
  type NotificationValues,
  openNotification,
} from "../../domain/notification/index.ts";
import { findUser } from "../../domain/user/index.ts";

export interface CapturedDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "decrypt">;
}

/** A message that this server would have sent. Instants in ISO 8601. */
export interface CapturedMessage extends Pick<Notification, "kind" | "channel" | "recipient" | "language" | "state"> {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly code: string | null;
  /** The link of the message, when whoever caused it said where it leads. */
  readonly link: string | null;
}

const most = 100;

/** The newest messages, those to one recipient when he is named. */
export async function listCapturedMessages(
  { database, vault }: CapturedDeps,
  { instanceId }: Call,
  recipient: string | undefined,
): Promise<CapturedMessage[]> {
  const { read } = database;
  const found = await listNewestNotifications(read, instanceId, most);
  const wanted = recipient === undefined ? found : found.filter((message) => message.recipient === recipient);
  return Promise.all(
    wanted.map(async (message) => {
      const values = open(vault, instanceId, message);
      const user = values.urlTemplate === undefined ? undefined : await findUser(read, instanceId, message.userId);
      return toCaptured(message, values, user?.preferredLoginName ?? "");
    }),
  );
}

// A message of before another master key is shown without what is secret in it.
function open(vault: Pick<Vault, "decrypt">, instanceId: string, message: Notification): NotificationValues {
  try {
    return openNotification(vault, instanceId, message);
  } catch (error) {
    if (error instanceof VaultError) return {};
    throw error;
  }
}

function toCaptured(message: Notification, values: NotificationValues, loginName: string): CapturedMessage {
  const { notificationId: id, kind, channel, recipient, language, state, userId, organizationId } = message;
  const { code = null, urlTemplate } = values;
  const parts = { UserID: userId, OrgID: organizationId, LoginName: loginName, Code: code ?? "" };
  return {
    ...{ id, kind, channel, recipient, language, state, userId, organizationId, code },
    createdAt: toIso(message.createdAt),
    expiresAt: message.expiresAt === null ? null : toIso(message.expiresAt),
    link: urlTemplate === undefined ? null : fillUrlTemplate(urlTemplate, parts),
  };
}
