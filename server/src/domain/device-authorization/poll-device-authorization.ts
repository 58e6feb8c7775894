import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdByDeviceCode, setPolled } from "./device-authorization.store.ts";

/**
 * The answer to a device that polls (RFC 8628 §3.5). `unknown` also covers codes of other clients and codes that were
 * redeemed.
 */
export type PollOutcome = "approved" | "pending" | "slow_down" | "denied" | "expired" | "unknown";

// RFC 8628 §3.5: slow_down makes the interval five seconds longer, for this and all further polls.
const further = 5;
// Network latency may shorten the interval by this much for a device that keeps to it.
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
    const held = await holdByDeviceCode(tx, { deviceCodeHash, clientId: input.clientId });
    if (held === undefined || held.state === "redeemed") return "unknown";
    if (held.expiresAt <= tx.now) return "expired";
    if (held.state !== "pending") return held.state;
    const { polledAt, pollingInterval } = held;
    const isTooEarly = polledAt !== null && tx.now < polledAt + pollingInterval * 1000 - jitter;
    await setPolled(tx, deviceCodeHash, pollingInterval + (isTooEarly ? further : 0));
    return isTooEarly ? "slow_down" : "pending";
  });
}
