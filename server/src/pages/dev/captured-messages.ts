import { toIso } from "../../base/clock.ts";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  listNewestNotifications,
  type Notification,
  type NotificationValues,
  openNotification,
} from "../../domain/notification/index.ts";
import { findUser } from "../../domain/user/index.ts";
import { linkOf, type RenderDeps, type RenderedMessage, renderNotification } from "../../message/index.ts";

export interface CapturedDeps extends RenderDeps {
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
  /** The link of the message, if any. */
  readonly link: string | null;
  /** The message as it would be sent; a text message has no subject and no HTML. */
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

const most = 100;

/** Lists the newest messages, optionally of one recipient. */
export async function listCapturedMessages(
  deps: CapturedDeps,
  { instanceId }: Call,
  recipient: string | undefined,
): Promise<CapturedMessage[]> {
  const { read } = deps.database;
  const found = await listNewestNotifications(read, instanceId, most);
  const wanted = recipient === undefined ? found : found.filter((message) => message.recipient === recipient);
  return Promise.all(
    wanted.map(async (message) => {
      const values = open(deps.vault, instanceId, message);
      const user = values.urlTemplate === undefined ? undefined : await findUser(read, instanceId, message.userId);
      const linkContext = { loginName: user?.preferredLoginName ?? "", origin: await deps.originOf(instanceId) };
      const link = linkOf(message, values, linkContext) ?? null;
      const rendered = await renderNotification(deps, instanceId, message, values);
      return { ...toCaptured(message, rendered), code: values.code ?? null, link };
    }),
  );
}

// A message under a former master key is shown without its secrets.
function open(vault: Pick<Vault, "decrypt">, instanceId: string, message: Notification): NotificationValues {
  try {
    return openNotification(vault, instanceId, message);
  } catch (error) {
    if (error instanceof VaultError) return {};
    throw error;
  }
}

function toCaptured(message: Notification, rendered: RenderedMessage): Omit<CapturedMessage, "code" | "link"> {
  const { notificationId: id, kind, channel, recipient, state, userId, organizationId } = message;
  const { language, subject, text, html = null } = rendered;
  return {
    id,
    kind,
    channel,
    recipient,
    language,
    state,
    userId,
    organizationId,
    subject,
    text,
    html,
    createdAt: toIso(message.createdAt),
    expiresAt: message.expiresAt === null ? null : toIso(message.expiresAt),
  };
}
