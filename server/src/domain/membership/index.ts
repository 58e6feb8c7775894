export { type AcceptDeps, acceptAppointment } from "./accept-appointment.ts";
export { hasGainedSince, isAppointed } from "./access.store.ts";
export { addMembership } from "./add-membership.ts";
export { findAdministratorScope, holdPositions } from "./administrator-scope.store.ts";
export { requireInScope } from "./authorize-membership.ts";
export { appointAdministrator, createAdministrator } from "./create-administrator.ts";
export { type CreateProjectDeps, createProjectOfCaller } from "./create-project-of-caller.ts";
export { declineAppointment } from "./decline-appointment.ts";
export { deleteAdministrator } from "./delete-administrator.ts";
export { ensureOwner } from "./ensure-owner.ts";
export type { GainDeps } from "./gain.ts";
export { isAdministrator } from "./is-administrator.ts";
export { listAdministeredOrganizations } from "./list-administered-organizations.ts";
export { listOwnPermissions } from "./list-own-permissions.ts";
export { createSystemAccess, loadAccess } from "./load-access.ts";
export { mayActFor } from "./may-act-for.ts";
export { mayImpersonate } from "./may-impersonate.ts";
export { mayPrepareFor } from "./may-prepare-for.ts";
export { authorOfProvider, mayLinkByItself, mayVouchFor } from "./may-vouch-for.ts";
export {
  type AdministeredResource,
  type AdministratorScope,
  type Membership,
  memberPermission,
  stateOf,
} from "./membership.ts";
export { refuseEndOfHome } from "./refuse-end-of-home.ts";
export { refuseLossOfOwner } from "./refuse-loss-of-owner.ts";
export { removeMembershipsOf } from "./remove-memberships-of.ts";
export { removeMembershipsOfUsers } from "./remove-memberships-of-users.ts";
export { isAssignable, type MembershipLevel, permissionsOf, permissionsOfAll, roleNames } from "./roles.ts";
export type { OfferDeps } from "./tell-of-appointment.ts";
export { updateAdministrator } from "./update-administrator.ts";
