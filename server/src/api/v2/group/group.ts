import { FieldName, type GroupsSearchFilter } from "@doorward/api/service/group/v2/group_pb";
import { GroupService } from "@doorward/api/service/group/v2/group_service_pb";
import { GroupUserFieldName, type GroupUsersSearchFilter } from "@doorward/api/service/group/v2/group_user_pb";
import type { IdGenerator } from "../../../base/id.ts";
import type { Database } from "../../../database/index.ts";
import {
  addUsersToGroup,
  createGroup,
  type Group,
  type GroupFilter,
  type GroupSearch,
  type GroupUser,
  type GroupUserFilter,
  type GroupUserSearch,
  getGroup,
  listGroups,
  listGroupUsers,
  removeUsersFromGroup,
  updateGroup,
} from "../../../domain/group/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** GroupService, except for deletion, which also removes what was assigned to the group (`deletion`). */
export const groupMethods = (deps: { readonly database: Database; readonly newId: IdGenerator }): Binding =>
  bind(GroupService, {
    async createGroup(call, { organizationId, id: groupId, name, description }) {
      const group = await createGroup(deps, call, { organizationId, groupId, name, description });
      return { id: group.groupId, creationDate: toTimestamp(group.details.createdAt) };
    },
    async getGroup(call, { id: groupId }) {
      return { group: toMessage(await getGroup(deps, call, { groupId })) };
    },
    async listGroups(call, { filters, pagination, sortingColumn }) {
      const requested = toPage(pagination);
      const { rows, total } = await listGroups(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: orders[sortingColumn ?? FieldName.UNSPECIFIED] ?? "created_at",
      });
      return { groups: rows.map(toMessage), pagination: toPagination(total, requested.page) };
    },
    async updateGroup(call, { id: groupId, name, description }) {
      return { changeDate: toTimestamp((await updateGroup(deps, call, { groupId, name, description })).changedAt) };
    },
    async addUsersToGroup(call, { id: groupId, userIds }) {
      return { changeDate: toTimestamp((await addUsersToGroup(deps, call, { groupId, userIds })).changedAt) };
    },
    async removeUsersFromGroup(call, { id: groupId, userIds }) {
      return { changeDate: toTimestamp((await removeUsersFromGroup(deps, call, { groupId, userIds })).changedAt) };
    },
    async listGroupUsers(call, { filters, pagination, sortingColumn }) {
      const requested = toPage(pagination);
      const { rows, total } = await listGroupUsers(deps, call, {
        ...requested,
        filters: filters.map(toUserFilter),
        orderBy: userOrders[sortingColumn ?? GroupUserFieldName.UNSPECIFIED] ?? "created_at",
      });
      return { groupUsers: rows.map(toUserMessage), pagination: toPagination(total, requested.page) };
    },
  });

const orders: Readonly<Record<number, GroupSearch["orderBy"]>> = {
  [FieldName.ID]: "group_id",
  [FieldName.NAME]: "name",
  [FieldName.CREATION_DATE]: "created_at",
  [FieldName.CHANGE_DATE]: "changed_at",
};

const userOrders: Readonly<Record<number, GroupUserSearch["orderBy"]>> = {
  [GroupUserFieldName.USER_ID]: "user_id",
  [GroupUserFieldName.GROUP_ID]: "group_id",
  [GroupUserFieldName.CREATION_DATE]: "created_at",
};

function toFilter({ filter }: GroupsSearchFilter, index: number): GroupFilter {
  switch (filter.case) {
    case "groupIds":
      return { by: "ids", groupIds: filter.value.ids };
    case "nameFilter":
      return { by: "name", method: toTextMethod(filter.value.method), name: filter.value.name };
    case "organizationId":
      return { by: "organization", organizationId: filter.value.id };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toUserFilter({ filter }: GroupUsersSearchFilter, index: number): GroupUserFilter {
  if (filter.case === undefined) return refuseFilter(`filters[${index}]`);
  return { by: filter.case === "userIds" ? "users" : "groups", ids: filter.value.ids };
}

function toMessage({ groupId, organizationId, name, description, details }: Group) {
  const { createdAt, changedAt } = details;
  const dates = { creationDate: toTimestamp(createdAt), changeDate: toTimestamp(changedAt) };
  return { id: groupId, organizationId, name, description, ...dates };
}

function toUserMessage(row: GroupUser) {
  const { groupId, organizationId, userId, preferredLoginName, displayName, userOrganizationId } = row;
  const user = { id: userId, preferredLoginName, displayName, organizationId: userOrganizationId };
  return { groupId, organizationId, user, creationDate: toTimestamp(row.createdAt) };
}
