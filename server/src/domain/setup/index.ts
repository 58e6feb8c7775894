export { awaitsSetup } from "./awaits-setup.ts";
export { type BootstrapInput, type Bootstrapped, bootstrap } from "./bootstrap.ts";
export { bootstrapInstance } from "./bootstrap-instance.ts";
export { completeSetup } from "./complete-setup.ts";
export { createAdministratorOnHost } from "./create-administrator-on-host.ts";
export { type CreateInstance, type CreateInstanceDeps, createInstanceWithOwner } from "./create-instance-with-owner.ts";
export { createMachineOnHost } from "./create-machine-on-host.ts";
export {
  createOrganizationWithAdministrators,
  type NewAdministrator,
} from "./create-organization-with-administrators.ts";
export { isSetupOpen } from "./is-setup-open.ts";
export { issueSetupLink } from "./issue-setup-link.ts";
export { operatorCall } from "./operator.ts";
export { recoverAdministrator } from "./recover-administrator.ts";
