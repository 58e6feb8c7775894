import type { Reach } from "../../call/index.ts";
import {
  type List,
  list,
  type Reader,
  reachFilter,
  readList,
  type Sql,
  sql,
  text,
  textFilter,
} from "../../database/index.ts";
import { isInView, type VisibleUsers } from "../user/index.ts";
import { type GroupRow, groupColumns, toGroup } from "./group.store.ts";
import type { Group } from "./group.ts";
import type { GroupFilter, GroupSearch, GroupUser, GroupUserSearch } from "./group-search.ts";

const groupOrders = {
  group_id: text("user_groups.group_id"),
  // Names are sorted without regard to case, as people look for them.
  name: text("user_groups.name_key"),
  created_at: text("user_groups.created_at"),
  changed_at: text("user_groups.changed_at"),
} as const satisfies Record<GroupSearch["orderBy"], Sql>;

const userOrders = {
  user_id: text("m.user_id"),
  group_id: text("m.group_id"),
  created_at: text("m.created_at"),
} as const satisfies Record<GroupUserSearch["orderBy"], Sql>;

/** Lists the groups of organizations within the reach. */
export async function listGroupRows(
  reader: Reader,
  instanceId: string,
  { reach, search }: { readonly reach: Reach; readonly search: GroupSearch },
): Promise<List<Group>> {
  const { rows, total } = await readList<GroupRow>(reader, {
    columns: groupColumns,
    from: text("user_groups"),
    where: [
      sql`user_groups.instance_id = ${instanceId}`,
      reachFilter(reach, { organizationId: text("user_groups.organization_id") }),
      ...search.filters.map(toCondition),
    ],
    orderBy: groupOrders[search.orderBy],
    id: text("user_groups.group_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { rows: rows.map(toGroup), total };
}

function toCondition(filter: GroupFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`user_groups.group_id in ${list(filter.groupIds)}`;
    case "name":
      return textFilter(text("user_groups.name"), filter.method, filter.name);
    case "organization":
      return sql`user_groups.organization_id = ${filter.organizationId}`;
    default:
      return filter satisfies never;
  }
}

/**
 * Lists the users of groups of organizations within the reach, and of the caller's own groups. Users out of view have
 * no names.
 */
export async function listGroupUserRows(
  reader: Reader,
  instanceId: string,
  { reach, view, search }: { readonly reach: Reach; readonly view: VisibleUsers; readonly search: GroupUserSearch },
): Promise<List<GroupUser>> {
  const own = sql`m.user_id = ${view.userId}`;
  const isReached = reachFilter(reach, { organizationId: text("g.organization_id") });
  // Alone, an index finds the caller's own groups; beside another condition, all members of the instance are read.
  const isVisible = reach.everywhere || reach.organizationIds.length > 0 ? sql`(${own} or ${isReached})` : own;
  const { rows, total } = await readList<GroupUser>(reader, {
    columns: text(`m.group_id as "groupId", g.organization_id as "organizationId", m.user_id as "userId",
      u.organization_id as "userOrganizationId", u.preferred_login_name as "preferredLoginName",
      u.display_name as "displayName", m.created_at as "createdAt"`),
    from: text(`user_group_members m
      join user_groups g on g.instance_id = m.instance_id and g.group_id = m.group_id`),
    // Every member is a user; their names are read for the page alone.
    joins: sql`join users u on u.instance_id = ${instanceId} and u.user_id = m.user_id`,
    key: [text("m.group_id"), text("m.user_id")],
    where: [
      sql`m.instance_id = ${instanceId}`,
      isVisible,
      ...search.filters.map(({ by, ids }) =>
        by === "users" ? sql`m.user_id in ${list(ids)}` : sql`m.group_id in ${list(ids)}`,
      ),
    ],
    orderBy: userOrders[search.orderBy],
    id: text("m.group_id || ' ' || m.user_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  const isNamed = ({ userId, userOrganizationId: organizationId }: GroupUser): boolean =>
    isInView(view, { userId, organizationId });
  return { rows: rows.map((row) => (isNamed(row) ? row : { ...row, preferredLoginName: "", displayName: "" })), total };
}
