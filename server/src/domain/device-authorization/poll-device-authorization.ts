import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdByDeviceCode, setPolled } from "./device-authorization.store.ts";

/** What a device is told that asks (RFC 8628 §3.5). `unknown` as well for a code of another client, and one that was redeemed. */
export type PollOutcome = "approved" | "pending" | "slow_down" | "denied" | "expired" | "unknown";

// RFC 8628 §3.5: slow_down makes the device wait five seconds longer, for this and all further questions.
const further = 5;
// What the way over the network may take off the interval of a device that keeps to it.
const jitter = 500;

/** Asks what became of a device. One that asks too early has to wait longer from then on, which is remembered. */
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
