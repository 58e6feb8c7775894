import type { Reach } from "../../call/index.ts";
import { join, list, type Reader, readDetails, readList, type Sql, sql, text } from "../../database/index.ts";
import type { MembershipLevel } from "../administrator-access/index.ts";
import type { VisibleUsers } from "../user/index.ts";
import { toCondition } from "./administrator-filter.store.ts";
import type { AdministeredResourceShown, Administrator, AdministratorSearch } from "./administrator-search.ts";
import { visibleMemberFilter } from "./visible-member.store.ts";
import { isVisibleMember } from "./visible-member.ts";

const columns =
  text(`m.level, m.resource_id as "resourceId", m.organization_id as "ownerId", m.sequence, m.created_at as "createdAt",
  m.changed_at as "changedAt", m.accepted_at as "acceptedAt", u.user_id as "userId", u.preferred_login_name as "preferredLoginName",
  u.display_name as "displayName", u.organization_id as "userOrganizationId", o.name as "organizationName",
  p.project_id as "projectId", p.name as "projectName", g.granted_organization_id as "grantedOrganizationId"`);

const tables = text(`memberships m
  join users u on u.instance_id = m.instance_id and u.user_id = m.user_id
  left join organizations o on m.level = 'organization'
    and o.instance_id = m.instance_id and o.organization_id = m.resource_id
  left join project_grants g on m.level = 'project_grant' and g.instance_id = m.instance_id and g.grant_id = m.resource_id
  left join projects p on p.instance_id = m.instance_id
    and p.project_id = case m.level when 'project' then m.resource_id else g.project_id end`);

// Unique inside an instance; its parts are in the primary key.
const id = sql`(m.user_id || ' ' || m.level || ' ' || m.resource_id)`;

const orders = {
  user_id: text("m.user_id"),
  created_at: text("m.created_at"),
  changed_at: text("m.changed_at"),
} as const satisfies Record<AdministratorSearch["orderBy"], Sql>;

interface Row {
  readonly level: MembershipLevel;
  readonly resourceId: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly acceptedAt: number | null;
  readonly userId: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly userOrganizationId: string;
  readonly organizationName: string | null;
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly grantedOrganizationId: string | null;
}

export interface AdministratorReader {
  /** The user, who always sees their own roles, and the users whose names are shown. */
  readonly view: VisibleUsers;
  /** Where members of each level may be read, and the organizations whose users' roles may all be read (`home`). */
  readonly reach: Readonly<Record<MembershipLevel | "home", Reach>>;
  readonly search: AdministratorSearch;
}

export async function listAdministratorRows(
  reader: Reader,
  instanceId: string,
  { view, reach, search }: AdministratorReader,
): Promise<{ administrators: Administrator[]; total: number }> {
  const isNamed = visibleMemberFilter(view, {
    userId: text("m.user_id"),
    organizationId: text("u.organization_id"),
    ownerId: text("m.organization_id"),
    acceptedAt: text("m.accepted_at"),
  });
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: tables,
    where: [
      sql`m.instance_id = ${instanceId}`,
      isVisible(view, reach),
      ...search.filters.map((filter) => toCondition(instanceId, filter, isNamed)),
    ],
    orderBy: orders[search.orderBy],
    id,
    isDescending: search.isDescending,
    page: search.page,
  });
  const { roles, complete } = await listRolesOfRows(reader, instanceId, rows);
  return { administrators: complete.map((row) => toAdministrator(row, roles.get(keyOf(row)) ?? noRoles, view)), total };
}

// Users who hold a position elsewhere stay users of their organization: readers there see what they hold.
function isVisible({ userId }: VisibleUsers, reach: AdministratorReader["reach"]): Sql {
  const own = sql`m.user_id = ${userId}`;
  // Alone, an index finds the caller's own roles; beside other conditions, all roles of the instance are read.
  if (Object.values(reach).every(reachesNothing)) return own;
  const conditions = [
    own,
    ...(reach.home.organizationIds.length === 0 ? [] : [sql`u.organization_id in ${list(reach.home.organizationIds)}`]),
    ...(reach.instance.everywhere ? [sql`m.level = 'instance'`] : []),
    atLevel(sql`m.level = 'organization'`, reach.organization, (ids) => [
      sql`m.resource_id in ${list(ids.organizationIds)}`,
    ]),
    atLevel(sql`m.level = 'project'`, reach.project, (ids) => [
      sql`m.organization_id in ${list(ids.organizationIds)}`,
      sql`m.resource_id in ${list(ids.projectIds)}`,
    ]),
    atLevel(sql`m.level = 'project_grant'`, reach.project_grant, (ids) => [
      sql`m.organization_id in ${list(ids.organizationIds)}`,
      sql`g.granted_organization_id in ${list(ids.organizationIds)}`,
      sql`g.project_id in ${list(ids.projectIds)}`,
      sql`m.resource_id in ${list(ids.projectGrantIds)}`,
    ]),
  ];
  return sql`(${join(conditions, " or ")})`;
}

const reachesNothing = ({ everywhere, organizationIds, projectIds, projectGrantIds }: Reach): boolean =>
  !everywhere && organizationIds.length + projectIds.length + projectGrantIds.length === 0;

const atLevel = (level: Sql, reach: Reach, within: (reach: Reach) => readonly Sql[]): Sql =>
  reach.everywhere ? level : sql`(${level} and (${join(within(reach), " or ")}))`;

interface RolesOfRow {
  readonly roles: readonly string[];
  readonly pendingRoles: readonly string[];
}

const noRoles: RolesOfRow = { roles: [], pendingRoles: [] };

async function listRolesOfRows(
  reader: Reader,
  instanceId: string,
  rows: readonly Row[],
): Promise<{ readonly roles: Map<string, RolesOfRow>; readonly complete: readonly Row[] }> {
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  // Not in the order of an index: SQLite would read all roles of the instance along it.
  const found = await readDetails<Pick<Row, "userId" | "level" | "resourceId"> & { role: string; isPending: number }>(
    reader,
    userIds,
    (
      ids,
      limit,
    ) => sql`select user_id as "userId", level, resource_id as "resourceId", role || '' as "role", 0 as "isPending"
      from membership_roles where instance_id = ${instanceId} and user_id in ${list(ids)}
      union all select user_id, level, resource_id, role || '', 1
      from pending_membership_roles where instance_id = ${instanceId} and user_id in ${list(ids)} limit ${limit}`,
  );
  const of = (row: (typeof found.details)[number][], isPending: number): string[] =>
    row.flatMap((each) => (each.isPending === isPending ? [each.role] : [])).sort();
  const byRow = Map.groupBy(found.details, keyOf);
  const known = new Set(userIds.slice(0, found.rows));
  const end = rows.findIndex(({ userId }) => !known.has(userId));
  return {
    roles: new Map([...byRow].map(([key, row]) => [key, { roles: of(row, 0), pendingRoles: of(row, 1) }])),
    complete: end < 0 ? rows : rows.slice(0, end),
  };
}

const keyOf = ({ userId, level, resourceId }: Pick<Row, "userId" | "level" | "resourceId">): string =>
  `${userId} ${level} ${resourceId}`;

function toAdministrator(row: Row, { roles, pendingRoles }: RolesOfRow, view: VisibleUsers): Administrator {
  const { sequence, createdAt, changedAt, userId, userOrganizationId: organizationId } = row;
  const ownerId = row.level === "instance" ? row.resourceId : row.ownerId;
  const isNamed = isVisibleMember(view, { userId, organizationId, ownerId: row.ownerId, acceptedAt: row.acceptedAt });
  const names = isNamed ? row : { preferredLoginName: "", displayName: "" };
  const user = {
    userId,
    preferredLoginName: names.preferredLoginName,
    displayName: names.displayName,
    organizationId,
  };
  return { sequence, ownerId, createdAt, changedAt, user, resource: toResource(row), roles, pendingRoles };
}

function toResource(row: Row): AdministeredResourceShown {
  const { level, resourceId, ownerId, projectName } = row;
  switch (level) {
    case "instance":
      return { level };
    case "organization":
      return { level, organizationId: resourceId, name: row.organizationName ?? "" };
    case "project":
      return { level, projectId: resourceId, name: projectName ?? "", organizationId: ownerId };
    case "project_grant":
      return {
        level,
        grantId: resourceId,
        projectId: row.projectId ?? "",
        projectName: projectName ?? "",
        organizationId: ownerId,
        grantedOrganizationId: row.grantedOrganizationId ?? "",
      };
    default:
      return level satisfies never;
  }
}
