export { createDeviceAuthorization } from "./create-device-authorization.ts";
export { decideDeviceAuthorization } from "./decide-device-authorization.ts";
export { denyPendingDevices } from "./deny-pending-devices.ts";
export { expiredDeviceAttempts } from "./device-attempt.store.ts";
export {
  deleteDeviceAuthorizationsOfClient,
  deleteDeviceAuthorizationsOfUsers,
  expiredDeviceAuthorizations,
  findDeviceAuthorization,
  findDeviceAuthorizationOfBrowser,
  moveDeviceAuthorizations,
} from "./device-authorization.store.ts";
export type { Approval, DeviceAuthorization } from "./device-authorization.ts";
export { enterUserCode } from "./enter-user-code.ts";
export { findDeviceForLogin } from "./find-for-login.ts";
export { type PollOutcome, pollDeviceAuthorization } from "./poll-device-authorization.ts";
export { giveBackApproval, redeemDeviceAuthorization } from "./redeem-device-authorization.ts";
export { openUserCode } from "./seal-user-code.ts";
export { withdrawApprovals } from "./withdraw-approvals.ts";
