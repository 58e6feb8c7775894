import type { Tx } from "../../database/index.ts";
import { markPendingDenied } from "./device-authorization.store.ts";
import { deviceAuthorizationAggregate } from "./device-authorization.ts";

/** Step: denies the devices that wait for an answer, because their client is no longer the one that users are shown. */
export async function denyPendingDevices(tx: Tx, ofClient: string): Promise<void> {
  for (const { deviceAuthorizationId, sequence, clientId, scope } of await markPendingDenied(tx, ofClient)) {
    tx.record({
      type: "device_authorization.denied",
      ...deviceAuthorizationAggregate(deviceAuthorizationId, tx.instanceId),
      sequence,
      payload: { clientId, scope },
    });
  }
}
