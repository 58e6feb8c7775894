import type { MessageInitShape } from "@bufbuild/protobuf";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import {
  type AllProjectGrantQuery,
  type GrantedProjectSchema,
  type ProjectGrantQuery,
  ProjectGrantState as WireState,
} from "@doorward/api/service/project/v1/grant_pb";
import type { ProjectQuery } from "@doorward/api/service/project/v1/project_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import type { IdGenerator } from "../../../../base/id.ts";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  changeProjectGrantState,
  createProjectGrant,
  getProjectGrant,
  type ListedProjectGrant,
  listProjectGrants,
  listProjectRoles,
  type ProjectGrantFilter,
  type ProjectGrantSearch,
  type ProjectGrantState,
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
  withFields,
} from "../../../contract/index.ts";
import { inProjectOfOrganization } from "./in-organization.ts";
import { toRoleFilter, toRoleMessage } from "./project-role.ts";

interface Deps {
  readonly database: Database;
  readonly newId: IdGenerator;
}

/**
 * ManagementService: what the organization of the call lent to others, and what was lent to it. `deletion` changes the
 * roles of a grant and deletes grants.
 */
export const managementProjectGrantMethods = (deps: Deps): Binding[] => [lendingMethods(deps), lentMethods(deps)];

function lendingMethods(deps: Deps): Binding {
  const changeState = async (call: Call, grant: { projectId: string; grantId: string }, state: ProjectGrantState) => {
    const { projectId, grantId } = grant;
    return { details: toObjectDetails(await changeProjectGrantState(deps, call, { projectId, grantId, state })) };
  };
  const ofOneProject: Handlers<typeof ManagementService> = {
    async getProjectGrantByID(call, { projectId, grantId }) {
      return { projectGrant: toMessage(await getProjectGrant(deps, call, { projectId, grantId })) };
    },
    async listProjectGrants(call, { projectId, query, queries }) {
      return list(deps, call, query, {
        filters: [{ kind: "project_ids", projectIds: [projectId] }, ...queries.map(toFilter)],
      });
    },
    async addProjectGrant(call, { projectId, grantedOrgId: grantedOrganizationId, roleKeys }) {
      const { grantId, details } = await withFields({ grantedOrganizationId: "grantedOrgId" }, () =>
        createProjectGrant(deps, call, { projectId, grantedOrganizationId, roleKeys }),
      );
      return { grantId, details: toObjectDetails(details) };
    },
    deactivateProjectGrant: (call, request) => changeState(call, request, "inactive"),
    reactivateProjectGrant: (call, request) => changeState(call, request, "active"),
  };
  return bind(ManagementService, {
    async listAllProjectGrants(call, { query, queries }) {
      return list(deps, call, query, {
        filters: [{ kind: "organization", organizationId: requireOrganization(call) }, ...queries.map(toFilter)],
      });
    },
    ...inProjectOfOrganization(deps, ofOneProject),
  });
}

function lentMethods(deps: Deps): Binding {
  const toOrganization = (call: Call): ProjectGrantFilter => ({
    kind: "granted_organization",
    organizationId: requireOrganization(call),
  });
  // A caller who may read a lent project may read how it was lent.
  const permission = "project.read";
  return bind(ManagementService, {
    async getGrantedProjectByID(call, { projectId, grantId }) {
      const filters = [toOrganization(call)];
      const grant = await getProjectGrant(deps, call, { projectId, grantId, filters, permission });
      return { grantedProject: toMessage(grant) };
    },
    async listGrantedProjects(call, { query, queries }) {
      return list(deps, call, query, {
        filters: [toOrganization(call), ...queries.map(toProjectFilter)],
        permission,
      });
    },
    async listGrantedProjectRoles(call, { projectId, grantId, query, queries }) {
      const filters = [toOrganization(call)];
      await getProjectGrant(deps, call, { projectId, grantId, filters, permission });
      const { rows, total } = await listProjectRoles(deps, call, {
        ...toPageV1(query),
        projectId,
        filters: [{ kind: "grant", grantId }, ...queries.map(toRoleFilter)],
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toRoleMessage) };
    },
  });
}

async function list(
  deps: Deps,
  call: Call,
  query: ListQuery | undefined,
  search: Pick<ProjectGrantSearch, "filters" | "permission">,
) {
  const requested = { ...toPageV1(query), orderBy: "created_at" } as const;
  const { rows, total } = await listProjectGrants(deps, call, { ...search, ...requested });
  return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
}

const toMessage = (grant: ListedProjectGrant): MessageInitShape<typeof GrantedProjectSchema> => ({
  grantId: grant.grantId,
  grantedOrgId: grant.grantedOrganizationId,
  grantedOrgName: grant.grantedOrganizationName,
  grantedRoleKeys: [...grant.roleKeys],
  state: grant.state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
  projectId: grant.projectId,
  projectName: grant.projectName,
  projectOwnerId: grant.organizationId,
  projectOwnerName: grant.organizationName,
  details: toObjectDetails(grant.details),
});

// The grants of one project have the same filters as all grants.
function toFilter({ query }: AllProjectGrantQuery | ProjectGrantQuery, index: number): ProjectGrantFilter {
  switch (query.case) {
    case "projectNameQuery":
      return { kind: "project_name", method: toTextMethod(query.value.method), name: query.value.name };
    case "roleKeyQuery":
      return { kind: "role_key", method: toTextMethod(query.value.method), roleKey: query.value.roleKey };
    case "projectIdQuery":
      return { kind: "project_ids", projectIds: [query.value.projectId] };
    case "grantedOrgIdQuery":
      return { kind: "granted_organization", organizationId: query.value.grantedOrgId };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}

function toProjectFilter({ query }: ProjectQuery, index: number): ProjectGrantFilter {
  switch (query.case) {
    case "nameQuery":
      return { kind: "project_name", method: toTextMethod(query.value.method), name: query.value.name };
    case "projectResourceOwnerQuery":
      return { kind: "organization", organizationId: query.value.resourceOwner };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
