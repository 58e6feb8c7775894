import { createHmac } from "node:crypto";
import { type Instant, seconds } from "../../base/clock.ts";
import { equalInConstantTime } from "../../base/secret.ts";

/** Milliseconds for which a code of an authenticator app is shown (RFC 6238 §4.1). */
const period = seconds(30);
const digits = 6;

/** RFC 6238 §5.2: one step to either side, for clocks that are not quite right and people who type slowly. */
const skew = 1;

/** The time step of an instant. */
export const timeStepAt = (instant: Instant): number => Math.floor(instant / period);

/** The code of an authenticator app for a time step: HOTP (RFC 4226 §5.3) with SHA-1, which is what every app can do. */
export function timeCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const code = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return code.toString().padStart(digits, "0");
}

/** The newest time step around the instant that the code is of; undefined when it is of none. Compares all, in constant time. */
export function matchTimeStep(secret: Uint8Array, code: string, now: Instant): number | undefined {
  const current = timeStepAt(now);
  let matched: number | undefined;
  for (let step = current - skew; step <= current + skew; step++) {
    if (equalInConstantTime(timeCode(secret, step), code)) matched = step;
  }
  return matched;
}
