import { hashSecret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { markRedeemed, splitWords } from "./device-authorization.store.ts";
import type { Approval, DeviceAuthorization } from "./device-authorization.ts";

/** Step: consumes the approval of a device, once, for the client that the device belongs to. */
export async function redeemDeviceAuthorization(
  tx: Tx,
  input: { readonly deviceCode: string; readonly clientId: string },
): Promise<(Approval & Pick<DeviceAuthorization, "scope" | "resources">) | undefined> {
  const key = { deviceCodeHash: hashSecret(input.deviceCode), clientId: input.clientId };
  const row = await markRedeemed(tx, key);
  if (row === undefined) return undefined;
  const { authenticationMethods, resources, ...rest } = row;
  return { ...rest, authenticationMethods: splitWords(authenticationMethods), resources: splitWords(resources) };
}
