import { seconds } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import { VaultError } from "../../base/vault.ts";
import {
  findActiveProvider,
  type OutgoingMessage,
  SendFailed,
  type SendMessageDeps,
  sendMessage,
} from "../../domain/message-provider/index.ts";
import {
  type AttemptOutcome,
  type ClaimedNotification,
  type DeliveryDeps,
  handOverNotification,
  type NotificationValues,
  openNotification,
} from "../../domain/notification/index.ts";
import { type RenderDeps, type RenderedMessage, renderNotification } from "../../message/index.ts";
import { causeOf } from "./causes.ts";

export interface SendNotificationDeps
  extends DeliveryDeps,
    Omit<RenderDeps, "database">,
    Omit<SendMessageDeps, "vault"> {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
  readonly report: (error: unknown, requestId: string) => void;
}

// Shorter than a claim, so that no other node starts with a message that is being sent.
const longestAttempt = seconds(90);

/** Makes one attempt at a message, with the current provider and texts. */
export async function sendNotification(
  deps: SendNotificationDeps,
  instanceId: string,
  claimed: ClaimedNotification,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  try {
    const provider = await findActiveProvider(deps.database.read, instanceId, claimed.channel);
    if (provider === undefined) return { failure: "no_provider" };
    const values = openNotification(deps.vault, instanceId, claimed);
    const rendered = await renderNotification(deps, instanceId, claimed, values);
    const message = toMessage(claimed, values, rendered, deps.clock());
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(longestAttempt)]);
    const beforeHandOver = async (): Promise<void> => {
      if (!(await handOverNotification(deps, instanceId, claimed))) throw new SendFailed("claim_lost");
    };
    await sendMessage(deps, instanceId, provider, message, { signal: deadline, beforeHandOver });
    return {};
  } catch (error) {
    if (error instanceof SendFailed) {
      const { failure, isFinal, cause } = error;
      return { failure, isFinal, ...(cause instanceof Error && { detail: cause.message }) };
    }
    deps.report(error, "notifications");
    return { failure: error instanceof VaultError ? "unreadable" : "internal" };
  }
}

function toMessage(
  { notificationId, recipient, kind, userId, organizationId }: ClaimedNotification,
  { code }: NotificationValues,
  { language, subject, text, html }: RenderedMessage,
  sentAt: number,
): OutgoingMessage {
  const about = { kind, eventType: causeOf[kind], language, userId, organizationId, code };
  return { messageId: notificationId, recipient, subject, text, html, sentAt, about };
}
