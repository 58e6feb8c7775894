import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Member } from "@doorward/api/service/member/v1/member_pb";
import { UserGrantState } from "@doorward/api/service/user/v1/user_grant_pb";
import type { Reader } from "./reader.ts";

const management = ManagementService.method;

/** Returns project grants, role assignments and administrators of an organization. */
export async function exportGrants(
  { perform, readAll }: Reader,
  { orgId, projectIds }: { readonly orgId: string; readonly projectIds: readonly string[] },
) {
  const projectGrants = [];
  const projectMembers = [];
  const projectGrantMembers = [];
  for (const projectId of projectIds) {
    for (const member of await readAll((query) =>
      perform(management.listProjectMembers, { projectId, query }, orgId),
    )) {
      projectMembers.push({ projectId, ...toMember(member) });
    }
    for (const grant of await readAll((query) => perform(management.listProjectGrants, { projectId, query }, orgId))) {
      const { grantId, grantedOrgId, grantedRoleKeys: roleKeys } = grant;
      projectGrants.push({ grantId, projectGrant: { projectId, grantedOrgId, roleKeys } });
      for (const member of await readAll((query) =>
        perform(management.listProjectGrantMembers, { projectId, grantId, query }, orgId),
      )) {
        projectGrantMembers.push({ projectId, grantId, ...toMember(member) });
      }
    }
  }
  const grants = await readAll((query) => perform(management.listUserGrants, { query }, orgId));
  const members = await readAll((query) => perform(management.listOrgMembers, { query }, orgId));
  return {
    projectGrants,
    projectMembers,
    projectGrantMembers,
    orgMembers: members.map(toMember),
    // An import would make an inactive assignment active.
    userGrants: grants
      .filter(({ state, userId }) => state === UserGrantState.ACTIVE && userId !== "")
      .map(({ userId, projectId, projectGrantId, roleKeys }) => ({ userId, projectId, projectGrantId, roleKeys })),
  };
}

// Roles that the user has yet to accept are offered again.
const toMember = ({ userId, roles, pendingRoles }: Member) => ({
  userId,
  roles: [...new Set([...roles, ...pendingRoles])],
});
