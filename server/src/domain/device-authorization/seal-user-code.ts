import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { DeviceAuthorization } from "./device-authorization.ts";
import { formatUserCode } from "./user-code.ts";

export type Sealing = Pick<Vault, "encrypt" | "decrypt">;

/** Encrypts the user code for storage; the page on which the user decides shows it. */
export const sealUserCode = (
  { vault }: { readonly vault: Sealing },
  { instanceId }: Pick<Call, "instanceId">,
  device: { readonly deviceAuthorizationId: string; readonly userCode: string },
): string => vault.encrypt(device.userCode, vaultContext(instanceId, device));

/** Returns the user code in the form in which people read it. */
export const openUserCode = (
  { vault }: { readonly vault: Sealing },
  { instanceId }: Pick<Call, "instanceId">,
  device: Pick<DeviceAuthorization, "deviceAuthorizationId" | "userCodeSealed">,
): string => formatUserCode(vault.decrypt(device.userCodeSealed, vaultContext(instanceId, device)).reveal());

// The context of the seal, so that it cannot be opened under any other.
const vaultContext = (
  instanceId: string,
  { deviceAuthorizationId }: { readonly deviceAuthorizationId: string },
): string => `device_authorizations/${instanceId}/${deviceAuthorizationId}/user_code`;
