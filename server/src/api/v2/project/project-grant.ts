import {
  ProjectGrantFieldName,
  type ProjectGrantSearchFilter,
  ProjectGrantState as WireState,
} from "@doorward/api/service/project/v2/project_grant_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import type { IdGenerator } from "../../../base/id.ts";
import type { Database } from "../../../database/index.ts";
import {
  changeProjectGrantState,
  createProjectGrant,
  type ListedProjectGrant,
  listProjectGrants,
  type ProjectGrantColumn,
  type ProjectGrantFilter,
} from "../../../domain/project/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on grants of projects. `deletion` changes the roles of a grant and deletes grants. */
export const projectGrantMethods = (deps: { readonly database: Database; readonly newId: IdGenerator }): Binding =>
  bind(ProjectService, {
    async createProjectGrant(call, request) {
      return { creationDate: toTimestamp((await createProjectGrant(deps, call, request)).details.createdAt) };
    },
    async activateProjectGrant(call, { projectId, grantedOrganizationId }) {
      const input = { projectId, grantedOrganizationId, state: "active" } as const;
      return { changeDate: toTimestamp((await changeProjectGrantState(deps, call, input)).changedAt) };
    },
    async deactivateProjectGrant(call, { projectId, grantedOrganizationId }) {
      const input = { projectId, grantedOrganizationId, state: "inactive" } as const;
      return { changeDate: toTimestamp((await changeProjectGrantState(deps, call, input)).changedAt) };
    },
    async listProjectGrants(call, { pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listProjectGrants(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: columns[sortingColumn ?? ProjectGrantFieldName.UNSPECIFIED] ?? "created_at",
      });
      return { pagination: toPagination(total, requested.page), projectGrants: rows.map(toMessage) };
    },
  });

const columns = {
  [ProjectGrantFieldName.UNSPECIFIED]: "created_at",
  [ProjectGrantFieldName.PROJECT_ID]: "project_id",
  [ProjectGrantFieldName.CREATION_DATE]: "created_at",
  [ProjectGrantFieldName.CHANGE_DATE]: "changed_at",
} as const satisfies Record<ProjectGrantFieldName, ProjectGrantColumn>;

function toFilter({ filter }: ProjectGrantSearchFilter, index: number): ProjectGrantFilter {
  switch (filter.case) {
    case "projectNameFilter":
      return { kind: "project_name", method: toTextMethod(filter.value.method), name: filter.value.projectName };
    case "roleKeyFilter":
      return { kind: "role_key", method: toTextMethod(filter.value.method), roleKey: filter.value.key };
    case "inProjectIdsFilter":
      return { kind: "project_ids", projectIds: filter.value.ids };
    case "organizationIdFilter":
      return { kind: "organization", organizationId: filter.value.id };
    case "grantedOrganizationIdFilter":
      return { kind: "granted_organization", organizationId: filter.value.id };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toMessage(grant: ListedProjectGrant) {
  const { organizationId, grantedOrganizationId, grantedOrganizationName, projectId, projectName, details } = grant;
  return {
    organizationId,
    grantedOrganizationId,
    grantedOrganizationName,
    projectId,
    projectName,
    grantedRoleKeys: [...grant.roleKeys],
    state: grant.state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
    creationDate: toTimestamp(details.createdAt),
    changeDate: toTimestamp(details.changedAt),
  };
}
