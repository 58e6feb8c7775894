import type { Secret } from "../../base/secret.ts";
import {
  type Mail,
  type Mailer,
  parseMailHost,
  type SendOptions,
  type SmtpCredentials,
  SmtpError,
} from "../../base/smtp/index.ts";
import type { SmtpConfiguration } from "./message-provider.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { SendFailed } from "./send-failed.ts";
import type { SmtpTokens } from "./smtp-tokens.ts";

export interface SendBySmtpDeps {
  readonly mailer: Mailer;
  readonly smtpTokens: SmtpTokens;
}

/** Hands a mail over to an SMTP server. Throws `SmtpError` or `SendFailed`. */
export async function sendBySmtp(
  deps: SendBySmtpDeps,
  { configuration, secret, tokenKey }: SmtpSending,
  message: Pick<OutgoingMessage, "messageId" | "recipient" | "subject" | "text" | "html" | "sentAt">,
  options: SendOptions = {},
): Promise<void> {
  const at = parseMailHost(configuration.host);
  if (at === undefined) throw new SendFailed("smtp.host_invalid");
  const { senderAddress, senderName, replyToAddress } = configuration;
  const mail: Mail = {
    ...message,
    sender: { name: senderName, address: senderAddress },
    replyTo: replyToAddress,
    messageId: `${message.messageId}@${senderAddress.slice(senderAddress.lastIndexOf("@") + 1)}`,
  };
  const credentials = await credentialsOf(deps, { configuration, secret, tokenKey });
  try {
    await deps.mailer.send({ ...at, requiresTls: configuration.tls, credentials }, mail, options);
  } catch (error) {
    // A token may be revoked before it expires.
    if (error instanceof SmtpError && error.failure === "authentication_failed") deps.smtpTokens.forget(tokenKey);
    throw error;
  }
}

/** An SMTP server with its credentials. */
export interface SmtpSending {
  readonly configuration: SmtpConfiguration;
  readonly secret: Secret | undefined;
  /** Identifies these settings, so that an access token is reused; undefined to use one only once. */
  readonly tokenKey: string | undefined;
}

async function credentialsOf(
  { smtpTokens }: SendBySmtpDeps,
  { configuration, secret, tokenKey }: SmtpSending,
): Promise<SmtpCredentials | undefined> {
  const { authentication, user } = configuration;
  if (authentication.kind === "none") return undefined;
  if (secret === undefined) throw new SendFailed("smtp.password_missing");
  if (authentication.kind === "plain") return { kind: "password", user, password: secret };
  return { kind: "xoauth2", user, accessToken: await smtpTokens.get(tokenKey, authentication, secret) };
}
