import { State as WireState } from "@doorward/api/service/authorization/v2/authorization_pb";
import { AuthorizationService } from "@doorward/api/service/authorization/v2/authorization_service_pb";
import {
  AuthorizationFieldName,
  type AuthorizationsSearchFilter,
} from "@doorward/api/service/authorization/v2/query_pb";
import { Fault } from "../../../base/fault.ts";
import type { IdGenerator } from "../../../base/id.ts";
import type { Database } from "../../../database/index.ts";
import {
  type Assignee,
  type AuthorizationColumn,
  type AuthorizationFilter,
  type AuthorizationState,
  type AuthorizationWithRoles,
  changeAuthorizationState,
  createAuthorization,
  deleteAuthorization,
  listAuthorizations,
  updateAuthorization,
} from "../../../domain/authorization/index.ts";
import type { OriginOf } from "../../../domain/instance/index.ts";
import { urlOfAvatar } from "../../../domain/picture/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

interface Deps {
  readonly database: Database;
  readonly newId: IdGenerator;
  /** Addresses of pictures are absolute. */
  readonly originOf: OriginOf;
}

/** Methods on role assignments. */
export const authorizationMethods = (deps: Deps): Binding =>
  bind(AuthorizationService, {
    async createAuthorization(call, { userId, groupId, projectId, organizationId, roleKeys }) {
      const authorization = await createAuthorization(deps, call, {
        ...toAssignee(userId, groupId),
        projectId,
        roleKeys,
        ...(organizationId !== "" && { organizationId }),
      });
      const { authorizationId: id, details } = authorization;
      return { id, creationDate: toTimestamp(details.createdAt) };
    },
    async updateAuthorization(call, { id: authorizationId, roleKeys }) {
      const details = await updateAuthorization(deps, call, { authorizationId, roleKeys });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async deleteAuthorization(call, { id: authorizationId }) {
      const { deletedAt } = await deleteAuthorization(deps, call, { authorizationId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async activateAuthorization(call, { id: authorizationId }) {
      const details = await changeAuthorizationState(deps, call, { authorizationId, state: "active" });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async deactivateAuthorization(call, { id: authorizationId }) {
      const details = await changeAuthorizationState(deps, call, { authorizationId, state: "inactive" });
      return { changeDate: toTimestamp(details.changedAt) };
    },
    async listAuthorizations(call, { pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listAuthorizations(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: columns[sortingColumn],
      });
      const origin = await deps.originOf(call.instanceId);
      const authorizations = rows.map((row) => toMessage(row, origin));
      return { pagination: toPagination(total, requested.page), authorizations };
    },
  });

const columns = {
  [AuthorizationFieldName.UNSPECIFIED]: "created_at",
  [AuthorizationFieldName.CREATED_DATE]: "created_at",
  [AuthorizationFieldName.CHANGED_DATE]: "changed_at",
  [AuthorizationFieldName.ID]: "authorization_id",
  [AuthorizationFieldName.USER_ID]: "user_id",
  [AuthorizationFieldName.PROJECT_ID]: "project_id",
  [AuthorizationFieldName.ORGANIZATION_ID]: "organization_id",
  [AuthorizationFieldName.USER_ORGANIZATION_ID]: "user_organization_id",
} as const satisfies Record<AuthorizationFieldName, AuthorizationColumn>;

const wireStates = { active: WireState.ACTIVE, inactive: WireState.INACTIVE } as const satisfies Record<
  AuthorizationState,
  WireState
>;

function toFilter({ filter }: AuthorizationsSearchFilter, index: number): AuthorizationFilter {
  switch (filter.case) {
    case "authorizationIds":
      return { kind: "ids", authorizationIds: filter.value.ids };
    case "organizationId":
      return { kind: "organization", organizationId: filter.value.id };
    case "state":
      return { kind: "state", state: toState(filter.value.state, `filters[${index}].state.state`) };
    case "inUserIds":
      return { kind: "users", userIds: filter.value.ids };
    case "inGroupIds":
      return { kind: "groups", groupIds: filter.value.ids };
    case "userOrganizationId":
      return { kind: "user_organization", organizationId: filter.value.id };
    case "userPreferredLoginName": {
      const { method, loginName } = filter.value;
      return { kind: "login_name", method: toTextMethod(method), loginName };
    }
    case "userDisplayName": {
      const { method, displayName } = filter.value;
      return { kind: "display_name", method: toTextMethod(method), displayName };
    }
    case "projectId":
      return { kind: "project", projectId: filter.value.id };
    case "projectName":
      return { kind: "project_name", method: toTextMethod(filter.value.method), name: filter.value.name };
    case "roleKey":
      return { kind: "role_key", method: toTextMethod(filter.value.method), roleKey: filter.value.key };
    case "projectGrantId":
      return { kind: "project_grant", projectGrantId: filter.value.id };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toState(state: WireState, field: string): AuthorizationState {
  if (state === WireState.ACTIVE) return "active";
  return state === WireState.INACTIVE ? "inactive" : refuseFilter(field);
}

function toMessage(row: AuthorizationWithRoles, origin: string) {
  return {
    id: row.authorizationId,
    creationDate: toTimestamp(row.createdAt),
    changeDate: toTimestamp(row.changedAt),
    project: { id: row.projectId, name: row.projectName, organizationId: row.projectOrganizationId },
    organization: { id: row.organizationId, name: row.organizationName },
    ...toAssigneeMessage(row, origin),
    state: wireStates[row.state],
    roles: row.roles.map(({ roleKey, displayName, roleGroup }) => ({ key: roleKey, displayName, group: roleGroup })),
  };
}

function toAssignee(userId: string, groupId: string): Assignee {
  if (userId !== "" && groupId !== "") {
    throw new Fault("invalid_argument", "authorization.two_assignees", { field: "groupId" });
  }
  if (userId === "" && groupId === "") {
    throw new Fault("invalid_argument", "field.required", { field: "userId", values: { field: "userId" } });
  }
  return groupId === "" ? { userId } : { groupId };
}

function toAssigneeMessage(row: AuthorizationWithRoles, origin: string) {
  if (row.groupId !== "") {
    return { group: { id: row.groupId, name: row.groupName, organizationId: row.groupOrganizationId } };
  }
  const { userId: id, preferredLoginName, displayName, userOrganizationId: organizationId } = row;
  const avatarUrl = urlOfAvatar(origin, row.avatarFile);
  return { user: { id, preferredLoginName, displayName, avatarUrl, organizationId } };
}
