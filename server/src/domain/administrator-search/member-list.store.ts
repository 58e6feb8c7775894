import { type List, list, type Reader, readList, type Sql, sql, text, textFilter } from "../../database/index.ts";
import type { AdministratorScope } from "../administrator-access/index.ts";
import type { VisibleUsers } from "../user/index.ts";
import type { Member, MemberColumn, MemberFilter, MemberSearch } from "./member-search.ts";
import { visibleMemberFilter } from "./visible-member.store.ts";
import { isVisibleMember } from "./visible-member.ts";

const columns = text(`m.sequence, m.created_at as "createdAt", m.changed_at as "changedAt",
  m.accepted_at as "acceptedAt", u.user_id as "userId",
  u.kind as "userKind", u.organization_id as "userOrganizationId", u.preferred_login_name as "preferredLoginName",
  u.display_name as "displayName", coalesce(u.email, '') as "email", coalesce(u.given_name, '') as "givenName",
  coalesce(u.family_name, '') as "familyName", coalesce(u.avatar_file, '') as "avatarFile"`);

const orders = {
  user_id: text("m.user_id"),
  created_at: text("m.created_at"),
  changed_at: text("m.changed_at"),
  user_organization_id: text("u.organization_id"),
} as const satisfies Record<MemberColumn, Sql>;

interface Row extends Omit<Member, "roles" | "pendingRoles" | "details"> {
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly acceptedAt: number | null;
}

/** Lists the administrators of a resource. The caller has been authorized to read them. */
export async function listMemberRows(
  reader: Reader,
  instanceId: string,
  scope: AdministratorScope,
  { view, ...search }: MemberSearch & { readonly view: VisibleUsers },
): Promise<List<Member>> {
  const isNamed = visibleMemberFilter(view, {
    userId: text("m.user_id"),
    organizationId: text("u.organization_id"),
    ownerId: text("m.organization_id"),
    acceptedAt: text("m.accepted_at"),
  });
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("memberships m join users u on u.instance_id = m.instance_id and u.user_id = m.user_id"),
    where: [
      sql`m.instance_id = ${instanceId} and m.level = ${scope.level} and m.resource_id = ${scope.resourceId}`,
      ...search.filters.map((filter) => toCondition(filter, isNamed)),
    ],
    orderBy: orders[search.orderBy],
    id: text("m.user_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  const userIds = rows.map(({ userId }) => userId);
  const held = await listRolesAt(reader, instanceId, scope, userIds);
  const roles = Map.groupBy(held, ({ userId }) => userId);
  return {
    rows: rows.map(({ sequence, createdAt, changedAt, acceptedAt, ...member }) => ({
      ...member,
      ...(isVisibleMember(view, {
        ...member,
        organizationId: member.userOrganizationId,
        ownerId: scope.ownerId,
        acceptedAt,
      })
        ? {}
        : unnamed),
      roles: rolesOf(roles.get(member.userId) ?? [], 0),
      pendingRoles: rolesOf(roles.get(member.userId) ?? [], 1),
      details: { sequence, createdAt, changedAt, ownerId: scope.ownerId },
    })),
    total,
  };
}

interface HeldRole {
  readonly userId: string;
  readonly role: string;
  readonly isPending: number;
}

const rolesOf = (held: readonly HeldRole[], isPending: number): string[] =>
  held.filter((each) => each.isPending === isPending).map(({ role }) => role);

// What a list shows of users of whom the caller knows an id and nothing else.
const unnamed = {
  preferredLoginName: "",
  displayName: "",
  email: "",
  givenName: "",
  familyName: "",
  avatarFile: "",
} as const;

function toCondition(filter: MemberFilter, isNamed: Sql): Sql {
  switch (filter.by) {
    case "given_name":
      return sql`(${isNamed} and ${textFilter(text("coalesce(u.given_name, '')"), filter.method, filter.text)})`;
    case "family_name":
      return sql`(${isNamed} and ${textFilter(text("coalesce(u.family_name, '')"), filter.method, filter.text)})`;
    case "email":
      return sql`(${isNamed} and ${textFilter(text("coalesce(u.email, '')"), filter.method, filter.text)})`;
    case "user":
      return sql`m.user_id = ${filter.userId}`;
    default:
      return filter satisfies never;
  }
}

async function listRolesAt(
  reader: Reader,
  instanceId: string,
  scope: Pick<AdministratorScope, "level" | "resourceId">,
  userIds: readonly string[],
): Promise<HeldRole[]> {
  if (userIds.length === 0) return [];
  return reader.all(sql`select user_id as "userId", role, 0 as "isPending" from membership_roles
    where instance_id = ${instanceId} and level = ${scope.level} and resource_id = ${scope.resourceId}
      and user_id in ${list(userIds)}
    union all select user_id, role, 1 from pending_membership_roles
    where instance_id = ${instanceId} and level = ${scope.level} and resource_id = ${scope.resourceId}
      and user_id in ${list(userIds)} order by 1, 2`);
}
