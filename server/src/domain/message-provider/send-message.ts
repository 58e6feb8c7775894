import { SmtpError } from "../../base/smtp/index.ts";
import type { Vault } from "../../base/vault.ts";
import type { MessageProvider } from "./message-provider.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { openProviderSecret } from "./provider-secret.ts";
import { type HandOver, type SendByHttpDeps, sendByHttp } from "./send-by-http.ts";
import { type SendBySmtpDeps, sendBySmtp } from "./send-by-smtp.ts";
import { type SendByTwilioDeps, sendByTwilio } from "./send-by-twilio.ts";
import { SendFailed } from "./send-failed.ts";

export interface SendMessageDeps extends SendBySmtpDeps, SendByHttpDeps, SendByTwilioDeps {
  readonly vault: Pick<Vault, "decrypt">;
}

/**
 * Hands a message over to a provider. Throws `SendFailed` when it was not taken or the outcome is unknown; an unknown
 * outcome is final.
 */
export async function sendMessage(
  deps: SendMessageDeps,
  instanceId: string,
  provider: MessageProvider,
  message: OutgoingMessage,
  handOver: HandOver,
): Promise<void> {
  const { configuration, providerId, details } = provider;
  const secret = openProviderSecret(deps.vault, instanceId, provider);
  switch (configuration.kind) {
    case "smtp": {
      const tokenKey = `${instanceId}/${providerId}/${details.sequence}`;
      return sendBySmtp(deps, { configuration, secret, tokenKey }, message, handOver).catch(reworded);
    }
    case "twilio":
      return sendByTwilio(deps, configuration, secret, message, handOver);
    case "http":
      return sendByHttp(deps, { ...provider, configuration }, secret, message, handOver);
    default:
      return configuration satisfies never;
  }
}

function reworded(error: unknown): never {
  if (!(error instanceof SmtpError)) throw error;
  throw new SendFailed(`smtp.${error.shownFailure}`, { isFinal: error.isFinal, cause: error });
}
