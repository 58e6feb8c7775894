import { Fault } from "../../base/fault.ts";
import { requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { isPositionByHome } from "../administrator-access/index.ts";
import { findGroup } from "../group/index.ts";
import type { ProjectGrant } from "../project/index.ts";
import { findUserScope, isInView, isOrganizationInView, visibleUsers } from "../user/index.ts";
import type { Assignee, Authorization } from "./authorization.ts";

/**
 * Step: rejects a user or group that the caller may give no roles, or that does not exist (`organizationId` is that of
 * the assignee). A group must be one that the caller may know. The lender appoints administrators of its grants without
 * asking the organization: over a grant they assign roles to people whom they may know. What they know as a sign-in
 * application does not count, nor do their colleagues where the lender appointed them.
 */
export async function requireAssignable(
  tx: Tx,
  assignee: Assignee,
  organizationId: string | undefined,
  grant: ProjectGrant | undefined,
): Promise<void> {
  const caller = requireCaller(tx.call);
  const access = withoutLoginClient(caller.access);
  const isForHome = grant === undefined || (await isPositionByHome(tx, grant.grantId, caller.userId));
  const home = isForHome ? caller.organizationId : "";
  const view = visibleUsers({ ...tx.call, caller: { ...caller, access, organizationId: home } });
  if ("groupId" in assignee) {
    if (organizationId !== undefined && isOrganizationInView(view, organizationId)) return;
    throw new Fault("failed_precondition", "authorization.group_not_found", { field: "groupId" });
  }
  const { userId } = assignee;
  const isKnown = organizationId !== undefined && isInView(view, { userId, organizationId });
  if (isKnown || (organizationId !== undefined && (grant === undefined || isTrustedByOrganization(tx, grant)))) return;
  throw new Fault("failed_precondition", "authorization.user_not_found", { field: "userId" });
}

/**
 * Step: asks the same before an assignment that exists gives more: added roles, or its roles again. The assignment is
 * locked, and is deleted with its user or group, so these are only read.
 */
export async function requireStillAssignable(
  tx: Tx,
  { userId, groupId }: Pick<Authorization, "userId" | "groupId">,
  grant: ProjectGrant | undefined,
): Promise<void> {
  if (groupId !== "") {
    const group = await findGroup(tx, tx.instanceId, groupId);
    return requireAssignable(tx, { groupId }, group?.organizationId, grant);
  }
  const user = await findUserScope(tx, tx.instanceId, userId);
  return requireAssignable(tx, { userId }, user?.organizationId, grant);
}

// The administrators of the organization itself, or of the instance; no sign-in application.
const isTrustedByOrganization = (tx: Tx, { grantedOrganizationId: organizationId }: ProjectGrant): boolean =>
  withoutLoginClient(requireCaller(tx.call).access).allows("user.grant.write", { organizationId });
