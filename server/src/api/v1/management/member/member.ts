import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import type { AdministeredResource } from "../../../../domain/administrator-access/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { type MemberDeps, methodsOfLevels } from "../../common/member/member.ts";

/** ManagementService: administrators of the organization of the call, of its projects and of project grants. */
export function managementMemberMethods(deps: MemberDeps): Binding {
  const { list, roles, add, update, remove } = methodsOfLevels(deps);
  return bind(ManagementService, {
    listOrgMemberRoles: async (call) => ({ result: roles(call, "organization").result }),
    listOrgMembers: (call, request) => list(call, organizationOf(call), request),
    addOrgMember: (call, request) => add(call, organizationOf(call), request),
    updateOrgMember: (call, request) => update(call, organizationOf(call), request),
    removeOrgMember: (call, request) => remove(call, organizationOf(call), request),
    listProjectMemberRoles: async (call) => roles(call, "project"),
    listProjectMembers: (call, request) => list(call, projectOf(request), request),
    addProjectMember: (call, request) => add(call, projectOf(request), request),
    updateProjectMember: (call, request) => update(call, projectOf(request), request),
    removeProjectMember: (call, request) => remove(call, projectOf(request), request),
    listProjectGrantMemberRoles: async (call, { query }) => roles(call, "project_grant", query),
    listProjectGrantMembers: (call, request) => list(call, grantOf(request), request),
    addProjectGrantMember: (call, request) => add(call, grantOf(request), request),
    updateProjectGrantMember: (call, request) => update(call, grantOf(request), request),
    removeProjectGrantMember: (call, request) => remove(call, grantOf(request), request),
  });
}

const organizationOf = ({ organizationId = "" }: Call): AdministeredResource => ({
  level: "organization",
  organizationId,
});

const projectOf = ({ projectId }: { readonly projectId: string }): AdministeredResource => ({
  level: "project",
  projectId,
});

const grantOf = (request: { readonly projectId: string; readonly grantId: string }): AdministeredResource => ({
  level: "project_grant",
  projectId: request.projectId,
  grantId: request.grantId,
});
