export { hasGainedSince, isAppointed, isPositionByHome } from "./access.store.ts";
export {
  type Appointee,
  findAdministratorScope,
  holdAdministratorScope,
  holdAppointee,
  holdInstance,
} from "./administrator-scope.store.ts";
export {
  type Appointer,
  authorizeMembership,
  checkAppointment,
  checkRoles,
  currentAccess,
  requireInScope,
} from "./authorize-membership.ts";
export { isAdministrator } from "./is-administrator.ts";
export { isCredentialSuspended } from "./is-credential-suspended.ts";
export { listAdministeredOrganizations } from "./list-administered-organizations.ts";
export { listOwnPermissions } from "./list-own-permissions.ts";
export { createSystemAccess, loadAccess } from "./load-access.ts";
export { managesUsers } from "./manages-users.ts";
export { mayActFor } from "./may-act-for.ts";
export { changesBuiltInProject, mayAppoint } from "./may-appoint.ts";
export { mayImpersonate } from "./may-impersonate.ts";
export { mayPrepareFor, mayPrepareNow } from "./may-prepare-for.ts";
export { maySignInAs } from "./may-sign-in-as.ts";
export { authorOfProvider, mayLinkByItself, mayVouchFor } from "./may-vouch-for.ts";
export {
  type AdministeredResource,
  type AdministratorScope,
  type Membership,
  memberPermission,
  membershipAggregate,
  type ResolvedAdministratorScope,
  stateOf,
} from "./membership.ts";
export { isAssignable, type MembershipLevel, permissionsOf, permissionsOfAll, roleNames } from "./roles.ts";
