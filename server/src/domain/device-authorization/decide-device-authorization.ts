import type { Tx } from "../../database/index.ts";
import { markApproved, markDenied } from "./device-authorization.store.ts";
import { type Approval, deviceAuthorizationAggregate } from "./device-authorization.ts";

export interface Decision {
  readonly deviceAuthorizationId: string;
  /** The browser that decides; undefined for a login that calls the API. */
  readonly browserHash: string | undefined;
  /** The approving user and session; undefined to deny. */
  readonly approval: Approval | undefined;
}

/** Step: approves or denies a device, once. False when it was decided, has expired, or is not bound to this browser. */
export async function decideDeviceAuthorization(tx: Tx, decision: Decision): Promise<boolean> {
  const { approval, deviceAuthorizationId } = decision;
  const decided = approval === undefined ? await markDenied(tx, decision) : await markApproved(tx, decision, approval);
  if (decided === undefined) return false;
  const { sequence, clientId, scope } = decided;
  tx.record({
    type: approval === undefined ? "device_authorization.denied" : "device_authorization.approved",
    ...deviceAuthorizationAggregate(deviceAuthorizationId, tx.instanceId),
    sequence,
    payload: { clientId, scope, ...(approval && { userId: approval.userId, sessionId: approval.sessionId }) },
  });
  return true;
}
