import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
import { type Appointee, type Appointer, memberPermission } from "../administrator-access/index.ts";

/**
 * Whether an appointment has no effect until it is accepted: that of a user by a caller who may change neither the user
 * nor the administrators of the user's organization. What a tenant configures has effect in that tenant alone, and what
 * a position ends (sessions, links and messages that administrators with fewer rights prepared) is the user's.
 */
export const needsAcceptance = (call: Call, appointer: Appointer, appointee: Appointee): boolean =>
  !isCaller(call, appointee) && !isByHome(appointer, appointee);

/** Whether callers give themselves a role that their own organization did not: they have accepted it by that. */
export const isAcceptedByGiving = (call: Call, appointer: Appointer, appointee: Appointee): boolean =>
  isCaller(call, appointee) && !isByHome(appointer, appointee);

const isCaller = (call: Call, { userId }: Appointee): boolean => requireCaller(call).userId === userId;

function isByHome({ scope, access: held }: Appointer, { organizationId: home, isMachine }: Appointee): boolean {
  // The instance is home to all its users.
  if (scope.level === "instance") return true;
  const access = withoutLoginClient(held);
  const rights = ["user.write", `${memberPermission.organization}.write`];
  if (rights.some((right) => access.allows(right, { organizationId: home }))) return true;
  // A role on a project shows no right over users: creators of projects have one. From a service account nothing is
  // taken, because it does not sign in by what others prepared.
  if (!isMachine) return false;
  if (scope.level !== "project_grant") return scope.ownerId === home;
  // A grant lies in two organizations. The one that appoints must be the user's own, through administrators whom it
  // lets appoint its users. A role on the grant alone does not show that: either of the two may have given it to
  // anyone. A role on the project does, if the project belongs to the home; the other organization holds no scope with
  // it.
  const ofHome = scope.permissionScopes.find(({ organizationId }) => organizationId === home);
  if (ofHome === undefined) return false;
  const { projectGrantId: _, ...whole } = ofHome;
  return access.allows(`${memberPermission.project_grant}.write`, whole);
}
