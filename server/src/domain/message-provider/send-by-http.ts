import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from "../../base/outbound/index.ts";
import { signatureHeaders } from "../../base/payload-signature.ts";
import type { Secret } from "../../base/secret.ts";
import type { HttpConfiguration, MessageProvider } from "./message-provider.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { SendFailed } from "./send-failed.ts";

export interface SendByHttpDeps {
  readonly outbound: Outbound;
  /** Our namespace word and its aliases: the call carries a signature header for each word. */
  readonly namespaceWords: readonly string[];
}

/** Controls how a message is handed over. */
export interface HandOver {
  readonly signal: AbortSignal;
  /** Awaited before the first byte of the message is sent; if it throws, nothing is sent. */
  readonly beforeHandOver: () => Promise<void>;
}

/** Hands a message over to an HTTP endpoint, signed. Throws `SendFailed`. */
export async function sendByHttp(
  deps: SendByHttpDeps,
  provider: MessageProvider<HttpConfiguration>,
  signingKey: Secret | undefined,
  message: OutgoingMessage,
  handOver: HandOver,
): Promise<void> {
  if (signingKey === undefined) throw new SendFailed("http.signing_key_missing");
  const body = JSON.stringify(toPayload(provider, message));
  const { status } = await request(deps.outbound, "http", {
    url: provider.configuration.endpoint,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": message.messageId,
      ...signatureHeaders(deps.namespaceWords, { key: signingKey, body, now: message.sentAt }),
    },
    body,
    ...handOver,
  });
  if (status >= 200 && status < 300) return;
  throw new SendFailed(`http.status_${status}`, { isFinal: isRefusal(status) });
}

/** Whether a status rejects this exact message, so that another attempt would be rejected too. */
export const isRefusal = (status: number): boolean => [400, 413, 422].includes(status);

/** Hands a message over with a request; failures are thrown as `SendFailed`. Responses have at most 64 KB. */
export async function request(
  outbound: Outbound,
  area: string,
  { beforeHandOver, ...given }: OutboundRequest & HandOver,
): Promise<OutboundResponse> {
  let isHandedOver = false;
  const beforeSending = async (): Promise<void> => {
    await beforeHandOver();
    isHandedOver = true;
  };
  try {
    return await outbound({ ...given, beforeSending, timeout: 10_000, maximumBytes: 65_536 });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A server that redirects has not taken the message. In all other cases the outcome is unknown, and the message
    // must not be sent twice.
    const isFinal = isHandedOver && error.failure !== "redirected";
    throw new SendFailed(`${area}.${error.shownFailure}`, { isFinal, cause: error });
  }
}

// Names and nesting of the first three members are those that receivers for this interface know.
function toPayload({ providerId, description, channel }: MessageProvider, message: OutgoingMessage) {
  const { recipient, subject, text, html, about, messageId } = message;
  const { kind, eventType, language, userId, organizationId, code } = about;
  return {
    contextInfo: {
      eventType,
      provider: { id: providerId, description },
      ...(channel === "email" ? { recipientEmailAddress: recipient } : { recipientPhoneNumber: recipient }),
    },
    templateData: { subject, text },
    args: { userID: userId, orgID: organizationId, ...(code !== undefined && { code }) },
    message: { id: messageId, channel, kind, language, recipient, subject, text, ...(html !== undefined && { html }) },
  };
}
