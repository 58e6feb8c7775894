import { createHmac } from "node:crypto";
import { type Instant, toNumericDate } from "../base/clock.ts";
import type { Secret } from "../base/secret.ts";

/**
 * The signature of a body: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>" in hexadecimal>`. The time is signed as well, so that an old call
 * cannot be sent again later.
 */
export function signatureOf(signingKey: Secret, body: string, now: Instant): string {
  const time = toNumericDate(now);
  const mac = createHmac("sha256", signingKey.reveal()).update(`${time}.${body}`, "utf8").digest("hex");
  return `t=${time},v1=${mac}`;
}
