import type { Outbound } from "../../base/outbound/index.ts";
import type { Secret } from "../../base/secret.ts";
import type { TwilioConfiguration } from "./message-provider.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { type HandOver, isRefusal, request } from "./send-by-http.ts";
import { SendFailed } from "./send-failed.ts";

export interface SendByTwilioDeps {
  readonly outbound: Outbound;
  /** Origin of a service with Twilio's interface; Twilio's own when absent. */
  readonly twilioOrigin?: string | undefined;
}

/**
 * Hands a text message over to Twilio or a compatible service. With a number it uses the Messages API; otherwise the
 * Verify service, which has texts of its own and takes our code (`CustomCode`). Throws `SendFailed`.
 */
export async function sendByTwilio(
  { outbound, twilioOrigin }: SendByTwilioDeps,
  { sid, senderNumber, verifyServiceSid }: TwilioConfiguration,
  token: Secret | undefined,
  message: OutgoingMessage,
  handOver: HandOver,
): Promise<void> {
  if (token === undefined) throw new SendFailed("twilio.token_missing");
  const { recipient, text, about } = message;
  const isVerify = senderNumber === "";
  if (isVerify && about.code === undefined) throw new SendFailed("twilio.number_missing", { isFinal: true });
  const form: Record<string, string> = isVerify
    ? { To: recipient, Channel: "sms", CustomCode: about.code ?? "" }
    : { To: recipient, From: senderNumber, Body: text };
  const url = isVerify
    ? `${twilioOrigin ?? "https://verify.twilio.com"}/v2/Services/${verifyServiceSid}/Verifications`
    : `${twilioOrigin ?? "https://api.twilio.com"}/2010-04-01/Accounts/${sid}/Messages.json`;
  const { status } = await request(outbound, "twilio", {
    url,
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${sid}:${token.reveal()}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(form).toString(),
    ...handOver,
  });
  if (status >= 200 && status < 300) return;
  throw new SendFailed(`twilio.status_${status}`, { isFinal: isRefusal(status) });
}
