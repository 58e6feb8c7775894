import { Fault } from "../../base/fault.ts";
import { isEmailAddress } from "../../base/names/email-address.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { TargetRule } from "../../base/outbound/index.ts";
import { parseMailHost } from "../../base/smtp/index.ts";
import type { Tx } from "../../database/index.ts";
import { findInstanceDomain } from "../instance/index.ts";
import { readSettings } from "../settings/index.ts";
import type { ProviderConfiguration, SmtpConfiguration, TwilioConfiguration } from "./message-provider.ts";

export interface CheckProviderDeps {
  /** Decides whether requests to an address would be allowed at all. */
  readonly allowsTarget: TargetRule;
}

/** Step: rejects a configuration that could never send, and a sender that the instance's settings do not permit. */
export async function checkProvider(
  tx: Tx,
  deps: CheckProviderDeps,
  configuration: ProviderConfiguration,
): Promise<void> {
  switch (configuration.kind) {
    case "smtp":
      checkSmtp(deps, configuration);
      return checkSenderDomain(tx, configuration.senderAddress);
    case "twilio":
      return checkTwilio(configuration);
    case "http":
      return checkTarget(deps, configuration.endpoint, "endpoint");
    default:
      return configuration satisfies never;
  }
}

/** Rejects SMTP settings that could never send. */
export function checkSmtp(deps: CheckProviderDeps, configuration: SmtpConfiguration): void {
  const { senderAddress, senderName, replyToAddress, host, user, authentication } = configuration;
  if (!isEmailAddress(senderAddress)) throw invalid("address_invalid", "senderAddress");
  if (/\p{C}/u.test(senderName)) throw invalid("sender_name_invalid", "senderName");
  if (replyToAddress !== "" && !isEmailAddress(replyToAddress)) throw invalid("address_invalid", "replyToAddress");
  if (parseMailHost(host) === undefined) throw invalid("host_invalid", "host");
  if (user.length > longestUser || /\p{C}/u.test(user)) throw invalid("user_invalid", "user");
  if (authentication.kind === "none") return;
  if (user === "") throw invalid("user_missing", "user");
  if (authentication.kind === "plain") return;
  checkTarget(deps, authentication.tokenEndpoint, "xoauth2.tokenEndpoint");
  if (authentication.clientId === "") throw invalid("client_id_missing", "xoauth2.clientCredentials.clientId");
}

const longestUser = 320;

function checkTwilio({ sid, senderNumber, verifyServiceSid }: TwilioConfiguration): void {
  // Both ids become part of the path of the requests.
  if (!isTwilioId(sid)) throw invalid("twilio_id_invalid", "sid");
  if (verifyServiceSid !== "" && !isTwilioId(verifyServiceSid)) throw invalid("twilio_id_invalid", "verifyServiceSid");
  if (senderNumber === "" && verifyServiceSid === "") throw invalid("sender_number_missing", "senderNumber");
}

const isTwilioId = (text: string): boolean => /^[A-Za-z0-9_-]+$/.test(text);

function checkTarget({ allowsTarget }: CheckProviderDeps, url: string, field: string): void {
  const verdict = allowsTarget(url);
  if (verdict === "malformed") throw invalid("endpoint_invalid", field);
  if (verdict === "forbidden") throw new Fault("failed_precondition", "message_provider.endpoint_forbidden", { field });
}

async function checkSenderDomain(tx: Tx, senderAddress: string): Promise<void> {
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId });
  if (!settings.smtpSenderAddressMatchesInstanceDomain) return;
  const domain = parseDomain(senderAddress.slice(senderAddress.lastIndexOf("@") + 1)) ?? "";
  if ((await findInstanceDomain(tx, domain)) !== undefined) return;
  throw new Fault("failed_precondition", "message_provider.sender_domain_foreign", {
    field: "senderAddress",
    values: { domain },
  });
}

const invalid = (slug: string, field: string): Fault =>
  new Fault("invalid_argument", `message_provider.${slug}`, { field });
