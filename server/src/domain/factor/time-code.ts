import { createHmac } from "node:crypto";
import { type Instant, seconds } from "../../base/clock.ts";
import { equalInConstantTime } from "../../base/secret.ts";

/** Milliseconds for which an authenticator app shows a code (RFC 6238 §4.1). */
const period = seconds(30);
const digits = 6;

/** RFC 6238 §5.2: one step to either side, for inaccurate clocks and slow typing. */
const skew = 1;

/** Returns the time step of an instant. */
const timeStepAt = (instant: Instant): number => Math.floor(instant / period);

/**
 * Returns the code of an authenticator app for a time step: HOTP (RFC 4226 §5.3) with SHA-1, which every app supports.
 */
export function timeCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const code = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return code.toString().padStart(digits, "0");
}

/**
 * Returns the newest time step around the instant that has the code; undefined when none has. Compares all of them, in
 * constant time.
 */
export function matchTimeStep(secret: Uint8Array, code: string, now: Instant): number | undefined {
  const current = timeStepAt(now);
  let matched: number | undefined;
  for (let step = current - skew; step <= current + skew; step++) {
    if (equalInConstantTime(timeCode(secret, step), code)) matched = step;
  }
  return matched;
}
