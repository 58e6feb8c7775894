import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Member } from "@doorward/api/service/member/v1/member_pb";
import { UserGrantState } from "@doorward/api/service/user/v1/user_grant_pb";
import type { Reader } from "./reader.ts";

const management = ManagementService.method;

/** Returns project grants, role assignments and administrators of an organization. */
export async function exportGrants(
  { perform, readAll }: Reader,
  {
    orgId,
    projectIds,
    userIds,
  }: { readonly orgId: string; readonly projectIds: readonly string[]; readonly userIds: readonly string[] },
) {
  const toMembers = membersFor(new Set(userIds));
  const projectGrants = [];
  const projectMembers = [];
  const projectGrantMembers = [];
  for (const projectId of projectIds) {
    for (const member of await readAll((query) =>
      perform(management.listProjectMembers, { projectId, query }, orgId),
    )) {
      for (const each of toMembers(member)) projectMembers.push({ projectId, ...each });
    }
    for (const grant of await readAll((query) => perform(management.listProjectGrants, { projectId, query }, orgId))) {
      const { grantId, state, grantedOrgId, grantedRoleKeys: roleKeys } = grant;
      projectGrants.push({ grantId, state, projectGrant: { projectId, grantedOrgId, roleKeys } });
      for (const member of await readAll((query) =>
        perform(management.listProjectGrantMembers, { projectId, grantId, query }, orgId),
      )) {
        for (const each of toMembers(member)) projectGrantMembers.push({ projectId, grantId, ...each });
      }
    }
  }
  const grants = await readAll((query) => perform(management.listUserGrants, { query }, orgId));
  const members = await readAll((query) => perform(management.listOrgMembers, { query }, orgId));
  return {
    projectGrants,
    projectMembers,
    projectGrantMembers,
    orgMembers: members.flatMap(toMembers),
    // An import would make an inactive assignment active.
    userGrants: grants
      .filter(({ state, userId }) => state === UserGrantState.ACTIVE && userId !== "")
      .map(({ userId, projectId, projectGrantId, roleKeys }) => ({ userId, projectId, projectGrantId, roleKeys })),
  };
}

/**
 * Returns what writes administrators for an import. It offers positions to users of other organizations, also those
 * that they had accepted. What was offered within the organization would take effect, so it is left out.
 */
const membersFor =
  (ownIds: ReadonlySet<string>) =>
  ({ userId, roles, pendingRoles }: Member): { readonly userId: string; readonly roles: string[] }[] => {
    const wanted = ownIds.has(userId) ? roles : [...new Set([...roles, ...pendingRoles])];
    return wanted.length === 0 ? [] : [{ userId, roles: wanted }];
  };
