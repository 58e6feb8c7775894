import { hashSecret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { isSessionLive as isLive } from "../session/index.ts";
import { markApprovedAgain, markRedeemed, splitWords } from "./device-authorization.store.ts";
import type { Approval, DeviceAuthorization } from "./device-authorization.ts";

/** An approval that was consumed. */
export type RedeemedApproval = Approval &
  Pick<DeviceAuthorization, "scope" | "resources"> & {
    /** Whether its session is live, and its user may sign in. */
    readonly isSessionLive: boolean;
  };

/** Step: consumes the approval of a device, once, for the client that the device belongs to. */
export async function redeemDeviceAuthorization(
  tx: Tx,
  input: { readonly deviceCode: string; readonly clientId: string },
): Promise<RedeemedApproval | undefined> {
  const key = { deviceCodeHash: hashSecret(input.deviceCode), clientId: input.clientId };
  const row = await markRedeemed(tx, key);
  if (row === undefined) return undefined;
  const { authenticationMethods, resources, isSessionLive, ...rest } = row;
  return {
    ...rest,
    authenticationMethods: splitWords(authenticationMethods),
    resources: splitWords(resources),
    isSessionLive: tx.engine === "postgres" ? isSessionLive === 1 : await isLive(tx, tx.instanceId, rest.sessionId),
  };
}

/** Step: gives the approval back that a device spent, because the device got no tokens for it. */
export const giveBackApproval = (tx: Tx, deviceCode: string): Promise<void> =>
  markApprovedAgain(tx, hashSecret(deviceCode));
