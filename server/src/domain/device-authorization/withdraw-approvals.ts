import type { Tx } from "../../database/index.ts";
import { markApprovalsWithdrawn } from "./device-authorization.store.ts";
import { deviceAuthorizationAggregate } from "./device-authorization.ts";

/** Step: takes back a user's approvals of a client's devices that have no tokens yet. Such a device is denied. */
export async function withdrawApprovals(
  tx: Tx,
  input: { readonly userId: string; readonly clientId: string },
): Promise<void> {
  for (const { deviceAuthorizationId, sequence, clientId, scope } of await markApprovalsWithdrawn(tx, input)) {
    tx.record({
      type: "device_authorization.denied",
      ...deviceAuthorizationAggregate(deviceAuthorizationId, tx.instanceId),
      sequence,
      payload: { clientId, scope },
    });
  }
}
