import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import type { EventType } from "../../event/index.ts";

/** The kind of messages that a provider sends. */
export type ProviderChannel = "email" | "sms";
export type ProviderState = "active" | "inactive";

/** How we authenticate at an SMTP server. The secret is stored apart, encrypted. */
export type SmtpAuthentication =
  | { readonly kind: "none" }
  | { readonly kind: "plain" }
  | {
      readonly kind: "xoauth2";
      readonly tokenEndpoint: string;
      readonly scopes: readonly string[];
      readonly clientId: string;
    };

export interface SmtpConfiguration {
  readonly kind: "smtp";
  readonly senderAddress: string;
  readonly senderName: string;
  /** Empty when replies go to the sender. */
  readonly replyToAddress: string;
  /** `host:port`. */
  readonly host: string;
  /** Whether TLS is required: from the first byte, or after STARTTLS. */
  readonly tls: boolean;
  /** Empty without authentication. */
  readonly user: string;
  readonly authentication: SmtpAuthentication;
}

export interface TwilioConfiguration {
  readonly kind: "twilio";
  /** Id of the account. */
  readonly sid: string;
  /** Number or name from which messages come. */
  readonly senderNumber: string;
  /** Service of Twilio Verify that sends codes instead of the number; empty without one. */
  readonly verifyServiceSid: string;
}

/** A sender operated by the customer: called with the signed message. */
export interface HttpConfiguration {
  readonly kind: "http";
  readonly endpoint: string;
}

export type ProviderConfiguration = SmtpConfiguration | TwilioConfiguration | HttpConfiguration;
export type ProviderKind = ProviderConfiguration["kind"];

/** A sender of messages for an instance. */
export interface MessageProvider<Configuration extends ProviderConfiguration = ProviderConfiguration> {
  readonly providerId: string;
  readonly channel: ProviderChannel;
  readonly state: ProviderState;
  readonly description: string;
  readonly configuration: Configuration;
  /** Decrypted with `openProviderSecret`. */
  readonly sealedSecret: string | null;
  readonly details: Details;
}

/** A provider as the caller names it. To a caller that states kinds, providers of other kinds do not exist. */
export interface ProviderKey {
  readonly providerId: string;
  readonly channel: ProviderChannel;
  readonly kinds?: readonly ProviderKind[];
}

/** Returns the provider, or throws that it does not exist. */
export function requireProvider<Kind extends ProviderKind = ProviderKind>(
  provider: MessageProvider | undefined,
  kinds?: readonly Kind[],
): MessageProvider<Extract<ProviderConfiguration, { kind: Kind }>> {
  const isOfKind = kinds === undefined || (kinds as readonly string[]).includes(provider?.configuration.kind ?? "");
  if (provider === undefined || !isOfKind) throw new Fault("not_found", "message_provider.not_found", { field: "id" });
  return provider as MessageProvider<Extract<ProviderConfiguration, { kind: Kind }>>;
}

/** Records an event of a provider with its current values, without its secret. */
export function recordProviderEvent(
  tx: Tx,
  provider: MessageProvider,
  verb: "created" | "updated" | "secret.set" | "activated" | "deactivated" | "deleted",
): void {
  const { channel, providerId, state, description, configuration, details } = provider;
  tx.record({
    type: `${channel}_provider.${verb}` satisfies EventType,
    aggregateType: `${channel}_provider`,
    aggregateId: providerId,
    ownerId: tx.instanceId,
    sequence: details.sequence,
    payload: { state, description, configuration },
  });
}

/** Context of the sealed secret: it cannot be decrypted in another row. */
export const secretContext = (instanceId: string, providerId: string): string =>
  `message_providers/${instanceId}/${providerId}/sealed_secret`;
