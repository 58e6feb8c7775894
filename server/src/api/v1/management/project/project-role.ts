import type { MessageInitShape } from "@bufbuild/protobuf";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { RoleQuery, RoleSchema } from "@doorward/api/service/project/v1/role_pb";
import type { Database } from "../../../../database/index.ts";
import {
  addProjectRole,
  addProjectRoles,
  type ListedProjectRole,
  listProjectRoles,
  type ProjectRoleFilter,
  roleDetails,
  updateProjectRole,
} from "../../../../domain/project/index.ts";
import {
  type Binding,
  bind,
  type Handlers,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTextMethod,
} from "../../../contract/index.ts";
import { inProjectOfOrganization } from "./in-organization.ts";

/** ManagementService: roles of projects of the organization of the call. Removing one: `deletion`. */
export function managementProjectRoleMethods(deps: { readonly database: Database }): Binding {
  const ofOneProject: Handlers<typeof ManagementService> = {
    async listProjectRoles(call, { projectId, query, queries }) {
      const { rows, total } = await listProjectRoles(deps, call, {
        ...toPageV1(query),
        projectId,
        filters: queries.map(toRoleFilter),
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toRoleMessage) };
    },
    async addProjectRole(call, { projectId, roleKey, displayName, group: roleGroup }) {
      const { details } = await addProjectRole(deps, call, { projectId, roleKey, displayName, roleGroup });
      return { details: toObjectDetails(details) };
    },
    async bulkAddProjectRoles(call, { projectId, roles: wanted }) {
      const roles = wanted.map(({ key: roleKey, displayName, group: roleGroup }) => ({
        roleKey,
        displayName,
        roleGroup,
      }));
      return { details: toObjectDetails(await addProjectRoles(deps, call, { projectId, roles })) };
    },
    async updateProjectRole(call, { projectId, roleKey, displayName, group: roleGroup }) {
      const details = await updateProjectRole(deps, call, { projectId, roleKey, displayName, roleGroup });
      return { details: toObjectDetails(details) };
    },
  };
  return bind(ManagementService, inProjectOfOrganization(deps, ofOneProject));
}

/** Converts a role to the message of the first generation of the API. */
export const toRoleMessage = (role: ListedProjectRole): MessageInitShape<typeof RoleSchema> => ({
  key: role.roleKey,
  details: toObjectDetails(roleDetails(role, role)),
  displayName: role.displayName,
  group: role.roleGroup,
});

/** Converts a condition of the first generation; `index` is its position in the request. */
export function toRoleFilter({ query }: RoleQuery, index: number): ProjectRoleFilter {
  switch (query.case) {
    case "keyQuery":
      return { kind: "key", method: toTextMethod(query.value.method), roleKey: query.value.key };
    case "displayNameQuery":
      return {
        kind: "display_name",
        method: toTextMethod(query.value.method),
        displayName: query.value.displayName,
      };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
