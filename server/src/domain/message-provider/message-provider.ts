import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import type { EventType } from "../../event/index.ts";

/** What a provider sends. */
export type ProviderChannel = "email" | "sms";
export type ProviderState = "active" | "inactive";

/** How an SMTP server knows us. The secret of it lies apart, sealed. */
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
  /** Empty when answers go to the sender. */
  readonly replyToAddress: string;
  /** `host:port`. */
  readonly host: string;
  /** Nothing is sent without TLS: from the first byte, or after STARTTLS. */
  readonly tls: boolean;
  /** Empty without authentication. */
  readonly user: string;
  readonly authentication: SmtpAuthentication;
}

export interface TwilioConfiguration {
  readonly kind: "twilio";
  /** Id of the account. */
  readonly sid: string;
  /** Number or name that messages come from. */
  readonly senderNumber: string;
  /** Service of Twilio Verify that sends codes in place of the number; empty without. */
  readonly verifyServiceSid: string;
}

/** Something of the customer's own that sends: called with what is to be sent, signed. */
export interface HttpConfiguration {
  readonly kind: "http";
  readonly endpoint: string;
}

export type ProviderConfiguration = SmtpConfiguration | TwilioConfiguration | HttpConfiguration;
export type ProviderKind = ProviderConfiguration["kind"];

/** Who sends for an instance. */
export interface MessageProvider<Configuration extends ProviderConfiguration = ProviderConfiguration> {
  readonly providerId: string;
  readonly channel: ProviderChannel;
  readonly state: ProviderState;
  readonly description: string;
  readonly configuration: Configuration;
  /** Opened with `openProviderSecret`. */
  readonly sealedSecret: string | null;
  readonly details: Details;
}

/** A provider as the caller names it. Only those of the kinds are meant: one of another kind is not there for him. */
export interface ProviderKey {
  readonly providerId: string;
  readonly channel: ProviderChannel;
  readonly kinds?: readonly ProviderKind[];
}

/** The provider, or a refusal that it is not there. */
export function requireProvider<Kind extends ProviderKind = ProviderKind>(
  provider: MessageProvider | undefined,
  kinds?: readonly Kind[],
): MessageProvider<Extract<ProviderConfiguration, { kind: Kind }>> {
  const isOfKind = kinds === undefined || (kinds as readonly string[]).includes(provider?.configuration.kind ?? "");
  if (provider === undefined || !isOfKind) throw new Fault("not_found", "message_provider.not_found", { field: "id" });
  return provider as MessageProvider<Extract<ProviderConfiguration, { kind: Kind }>>;
}

/** Writes down what happened to a provider: what it is now, without its secret. */
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

/** Where the vault believes a secret to be: in another row it cannot be read. */
export const secretContext = (instanceId: string, providerId: string): string =>
  `message_providers/${instanceId}/${providerId}/sealed_secret`;
