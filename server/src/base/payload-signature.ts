import { createHmac } from "node:crypto";
import { type Instant, toNumericDate } from "./clock.ts";
import type { Secret } from "./secret.ts";

/**
 * Returns the headers that prove to a receiver that a call is authentic and recent: `t=<seconds>,v1=<HMAC-SHA256 of
 * "<seconds>.<body>" in hex>`, under the name of each word (`service-signature`, `zitadel-signature`). Receivers
 * compare in constant time and reject old times.
 */
export function signatureHeaders(
  words: readonly string[],
  { key, body, now }: { readonly key: Secret; readonly body: string; readonly now: Instant },
): Readonly<Record<string, string>> {
  const time = toNumericDate(now);
  const signature = createHmac("sha256", key.reveal()).update(`${time}.${body}`).digest("hex");
  return Object.fromEntries(words.map((word) => [`${word}-signature`, `t=${time},v1=${signature}`]));
}
