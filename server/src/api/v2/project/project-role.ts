import { ProjectRoleFieldName, type ProjectRoleSearchFilter } from "@doorward/api/service/project/v2/project_role_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  addProjectRole,
  listProjectRoles,
  type ProjectRoleColumn,
  type ProjectRoleFilter,
  updateProjectRole,
} from "../../../domain/project/index.ts";
import {
  type Binding,
  bind,
  defined,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on roles of projects. `deletion` removes roles. */
export const projectRoleMethods = (deps: { readonly database: Database }): Binding =>
  bind(ProjectService, {
    async addProjectRole(call, { projectId, roleKey, displayName, group }) {
      const input = defined({ projectId, roleKey, displayName, roleGroup: group });
      return { creationDate: toTimestamp((await addProjectRole(deps, call, input)).createdAt) };
    },
    async updateProjectRole(call, { projectId, roleKey, displayName, group }) {
      const input = defined({ projectId, roleKey, displayName, roleGroup: group });
      return { changeDate: toTimestamp((await updateProjectRole(deps, call, input)).changedAt) };
    },
    async listProjectRoles(call, { projectId, pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listProjectRoles(deps, call, {
        ...requested,
        projectId,
        filters: filters.map(toFilter),
        orderBy: columns[sortingColumn ?? ProjectRoleFieldName.UNSPECIFIED] ?? "created_at",
      });
      const projectRoles = rows.map((role) => ({
        projectId: role.projectId,
        key: role.roleKey,
        displayName: role.displayName,
        group: role.roleGroup,
        creationDate: toTimestamp(role.createdAt),
        changeDate: toTimestamp(role.changedAt),
      }));
      return { pagination: toPagination(total, requested.page), projectRoles };
    },
  });

const columns = {
  [ProjectRoleFieldName.UNSPECIFIED]: "created_at",
  [ProjectRoleFieldName.KEY]: "role_key",
  [ProjectRoleFieldName.CREATION_DATE]: "created_at",
  [ProjectRoleFieldName.CHANGE_DATE]: "changed_at",
} as const satisfies Record<ProjectRoleFieldName, ProjectRoleColumn>;

function toFilter({ filter }: ProjectRoleSearchFilter, index: number): ProjectRoleFilter {
  switch (filter.case) {
    case "roleKeyFilter":
      return { kind: "key", method: toTextMethod(filter.value.method), roleKey: filter.value.key };
    case "displayNameFilter": {
      const { method, displayName } = filter.value;
      return { kind: "display_name", method: toTextMethod(method), displayName };
    }
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}
