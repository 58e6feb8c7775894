import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { pollByDeviceCode } from "./device-authorization.store.ts";

/**
 * The answer to a device that polls (RFC 8628 §3.5). `unknown` also covers codes of other clients and codes that were
 * redeemed.
 */
export type PollOutcome = "approved" | "pending" | "slow_down" | "denied" | "expired" | "unknown";

// RFC 8628 §3.5: slow_down makes the interval five seconds longer, for this and all further polls.
const further = 5;
// Network latency may shorten the interval by this many milliseconds for a device that keeps to it.
const jitter = 500;

/**
 * Returns what became of a device authorization. A device that polls too early has to wait longer from then on, which
 * is stored.
 */
export function pollDeviceAuthorization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly deviceCode: string; readonly clientId: string },
): Promise<PollOutcome> {
  const deviceCodeHash = hashSecret(input.deviceCode);
  return deps.database.touch(call, async (tx) => {
    const polled = await pollByDeviceCode(tx, { deviceCodeHash, clientId: input.clientId }, { further, jitter });
    if (polled === undefined || polled.state === "redeemed") return "unknown";
    if (polled.expiresAt <= tx.now) return "expired";
    if (polled.state !== "pending") return polled.state;
    return polled.isTooEarly === 1 ? "slow_down" : "pending";
  });
}
