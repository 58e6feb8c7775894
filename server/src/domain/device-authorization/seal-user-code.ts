import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { DeviceAuthorization } from "./device-authorization.ts";
import { formatUserCode } from "./user-code.ts";

export type Sealing = Pick<Vault, "encrypt" | "decrypt">;

/** The code of a device as it is stored for the page where somebody decides. */
export const sealUserCode = (
  { vault }: { readonly vault: Sealing },
  { instanceId }: Pick<Call, "instanceId">,
  device: { readonly deviceAuthorizationId: string; readonly userCode: string },
): string => vault.encrypt(device.userCode, place(instanceId, device));

/** The code of a device as people read it. */
export const openUserCode = (
  { vault }: { readonly vault: Sealing },
  { instanceId }: Pick<Call, "instanceId">,
  device: Pick<DeviceAuthorization, "deviceAuthorizationId" | "userCodeSealed">,
): string => formatUserCode(vault.decrypt(device.userCodeSealed, place(instanceId, device)).reveal());

// The seal names its place, so that it opens nowhere else.
const place = (instanceId: string, { deviceAuthorizationId }: { readonly deviceAuthorizationId: string }): string =>
  `device_authorizations/${instanceId}/${deviceAuthorizationId}/user_code`;
