import type { Reach } from "../../call/index.ts";
import {
  join,
  type List,
  type ListFilter,
  list,
  ofAnyNumber,
  orderOf,
  type Page,
  picked,
  planList,
  type Reader,
  reachFilter,
  readDetails,
  readList,
  type Sql,
  sql,
  text,
  textFilter,
  type VisibleRows,
} from "../../database/index.ts";
import { inViewFilter, isInView, isOrganizationInView, type VisibleUsers } from "../user/index.ts";
import { readCommonParts } from "../user-search/index.ts";
import type { AuthorizationState } from "./authorization.ts";
import { amountOf, type CountKey, toCountKey } from "./authorization-count.store.ts";
import type { AuthorizationFilter, UserColumn } from "./authorization-filter.ts";
import { type FilterContext, ofUsers } from "./authorization-user.store.ts";
import { plainCondition } from "./plain-filter.store.ts";

/** A role assignment with the names that a list shows. */
export interface ListedAuthorization {
  readonly authorizationId: string;
  readonly state: AuthorizationState;
  /** Fields of the user are empty when a group has the roles. */
  readonly userId: string;
  readonly userKind: "human" | "machine" | "";
  readonly username: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  /** Empty for service accounts, as is the address. */
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
  /** Name of the file of the user's picture; empty for none. */
  readonly avatarFile: string;
  readonly userOrganizationId: string;
  /** Fields of the group are empty when a user has the roles. */
  readonly groupId: string;
  readonly groupName: string;
  readonly groupOrganizationId: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly projectOrganizationId: string;
  /** Empty when the assigning organization owns the project. */
  readonly projectGrantId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationDomain: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export type AuthorizationColumn =
  | "created_at"
  | "changed_at"
  | "authorization_id"
  | "user_id"
  | "project_id"
  | "organization_id"
  | "user_organization_id";

export interface AuthorizationListQuery {
  readonly reach: Reach;
  /** The user, who sees their own assignments whatever the reach, and the users whose names are shown. */
  readonly view: VisibleUsers;
  readonly filters: readonly AuthorizationFilter[];
  readonly orderBy: AuthorizationColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  created_at: text("a.created_at"),
  changed_at: text("a.changed_at"),
  authorization_id: text("a.authorization_id"),
  user_id: text("a.user_id"),
  project_id: text("a.project_id"),
  organization_id: text("a.organization_id"),
  user_organization_id: text("a.user_organization_id"),
} as const satisfies Record<AuthorizationColumn, Sql>;

const userFields = {
  username: "username",
  given_name: "givenName",
  family_name: "familyName",
  email: "email",
} as const satisfies Record<UserColumn, string>;

const instants: ReadonlySet<AuthorizationColumn> = new Set(["created_at", "changed_at"]);

/** Lists role assignments within the reach, and the user's own. */
export async function listAuthorizationRows(
  reader: Reader,
  instanceId: string,
  query: AuthorizationListQuery,
): Promise<List<ListedAuthorization>> {
  const from = text("authorizations a");
  // True of every row: it selects the partial indexes of lists.
  const instance = sql`a.instance_id = ${instanceId} and (a.authorization_id || '') <> ''`;
  const id = text("a.authorization_id");
  const visible = visibleRows(instanceId, query);
  const isSearch = visible?.isOwn !== true && query.filters.some(isOfWords);
  const commonParts = isSearch ? await readCommonParts(reader, instanceId) : new Set<string>();
  const context = { engine: reader.engine, instanceId, commonParts };
  const isNamed = inViewFilter(query.view, {
    userId: text("a.user_id"),
    organizationId: text("a.user_organization_id"),
  });
  const filters = query.filters.map((filter) => {
    const made = toListFilter(context, filter);
    return isOfWords(filter) && !query.view.everywhere ? within(made, isNamed) : made;
  });
  const plan = await planList(reader, { from, instance, id }, filters, visible);
  // The instance alone, so that an index is counted without reading rows. The index by the users' organizations is
  // partial, for lists.
  const isOfList = query.filters.some(({ kind }) => kind === "user_organization");
  const ofInstance = isOfList ? instance : sql`a.instance_id = ${instanceId}`;
  const kept = countedAmount(
    instanceId,
    query,
    filters.map(({ condition }) => condition),
  );
  const { rows, total } = await readList<ListedAuthorization>(plan.reader, {
    isPlanned: true,
    columns: text(`a.authorization_id as "authorizationId", a.state as "state", a.user_id as "userId",
      coalesce(u.kind, '') as "userKind", coalesce(u.username, '') as "username",
      coalesce(u.preferred_login_name, '') as "preferredLoginName", coalesce(u.display_name, '') as "displayName",
      coalesce(u.given_name, '') as "givenName", coalesce(u.family_name, '') as "familyName",
      coalesce(u.email, '') as "email",
      coalesce(u.avatar_file, '') as "avatarFile", a.user_organization_id as "userOrganizationId",
      a.group_id as "groupId", coalesce(gr.name, '') as "groupName",
      coalesce(gr.organization_id, '') as "groupOrganizationId", a.project_id as "projectId", p.name as "projectName",
      p.organization_id as "projectOrganizationId", a.project_grant_id as "projectGrantId",
      a.organization_id as "organizationId", o.name as "organizationName", o.primary_domain as "organizationDomain",
      a.sequence as "sequence", a.created_at as "createdAt", a.changed_at as "changedAt"`),
    from,
    joins: text(`left join users u on u.instance_id = a.instance_id and u.user_id = a.user_id
      left join user_groups gr on a.group_id <> '' and gr.instance_id = a.instance_id and gr.group_id = a.group_id
      join projects p on p.instance_id = a.instance_id and p.project_id = a.project_id
      join organizations o on o.instance_id = a.instance_id and o.organization_id = a.organization_id`),
    where: [instance, ...plan.where],
    orderBy: orderOf(plan, orders[query.orderBy], instants.has(query.orderBy) ? "instant" : "text"),
    id,
    isDescending: query.isDescending,
    page: query.page,
    total: kept,
    counted: { from, instance: ofInstance, plan: plan.counted },
  });
  return { rows: rows.map((row) => (isOfStranger(query.view, row) ? { ...row, ...unnamed } : row)), total };
}

const isOfStranger = (
  view: VisibleUsers,
  { userId, userOrganizationId: organizationId, groupOrganizationId }: ListedAuthorization,
): boolean =>
  userId === "" ? !isOrganizationInView(view, groupOrganizationId) : !isInView(view, { userId, organizationId });

// What a list shows of users and groups of which the caller knows an id and nothing else.
const unnamed = {
  groupName: "",
  username: "",
  preferredLoginName: "",
  displayName: "",
  givenName: "",
  familyName: "",
  email: "",
  avatarFile: "",
} as const;

/** Restricts a filter to rows for which a condition holds. */
const within = ({ condition, candidates }: ListFilter, isMeant: Sql): ListFilter => ({
  condition: sql`(${condition} and ${isMeant})`,
  candidates: candidates && {
    isExact: candidates.isExact,
    condition: sql`(${candidates.condition} and ${isMeant})`,
    parts: candidates.parts?.map(({ from, where }) => ({ from, where: sql`${where} and ${isMeant}` })),
  },
});

// The same owners as in `scopeOf`: an assignment over a grant belongs to the organization that the project was lent to.
function isVisible({ reach, view }: AuthorizationListQuery): Sql {
  if (reach.everywhere) return text("1 = 1");
  const organizationId = text("a.organization_id");
  const owned = reachFilter(reach, { organizationId, projectId: text("a.project_id") });
  const lent = reachFilter(reach, { organizationId, projectGrantId: text("a.project_grant_id") });
  return sql`(a.user_id = ${view.userId} or (a.project_grant_id = '' and ${owned}) or (a.project_grant_id <> '' and ${lent}))`;
}

/** What the caller may see, found part by part, because each has an index of its own. */
function visibleRows(instanceId: string, query: AuthorizationListQuery): VisibleRows | undefined {
  const { reach, view } = query;
  if (reach.everywhere) return undefined;
  const reached = [
    [text("a.organization_id"), reach.organizationIds],
    [text("a.project_id"), reach.projectIds],
    [text("a.project_grant_id"), reach.projectGrantIds],
  ] as const;
  const parts = reached.filter(([, ids]) => ids.length > 0).map(([column, ids]) => sql`${column} in ${list(ids)}`);
  const found = join(
    [sql`a.user_id = ${view.userId}`, ...parts].map(
      (part) => sql`select a.authorization_id from authorizations a
        where a.instance_id = ${instanceId} and (a.authorization_id || '') <> '' and ${part}`,
    ),
    " union all ",
  );
  const candidates = {
    condition: sql`a.authorization_id in (${found})`,
    isExact: false,
    first: (count: number) => sql`select seen.authorization_id as "id" from (${found}) seen limit ${count}`,
  };
  return { condition: isVisible(query), candidates, isOwn: parts.length === 0 };
}

/** Builds the expression for the total, when filters and reach ask for no more than assignments are counted by. */
function countedAmount(
  instanceId: string,
  { reach, view, filters }: AuthorizationListQuery,
  conditions: readonly Sql[],
): Sql | undefined {
  const countKey = toCountKey(filters);
  if (countKey === undefined) return undefined;
  if (reach.everywhere) return amountOf(instanceId, countKey);
  const { organizationIds, projectIds, projectGrantIds } = reach;
  if (organizationIds.length === 0 || projectIds.length + projectGrantIds.length > 0) return undefined;
  const isAsked = (id: string): boolean => countKey.organizationId === undefined || countKey.organizationId === id;
  const amount = amountOf(instanceId, countKey, organizationIds.filter(isAsked));
  // The caller's own assignments outside of the reach.
  const isOwn = sql`a.instance_id = ${instanceId} and a.user_id = ${view.userId}`;
  const own = join([isOwn, sql`a.organization_id not in ${list(organizationIds)}`, ...conditions], " and ");
  return sql`(${amount} + (select count(*) from authorizations a where ${own}))`;
}

const exactly = (
  condition: Sql,
  candidates: Sql,
  known: { readonly atMost?: number; readonly count?: Sql } = {},
): ListFilter => ({ condition, candidates: { condition: candidates, isExact: true, ...known } });

function toListFilter(context: FilterContext, filter: AuthorizationFilter): ListFilter {
  const { instanceId } = context;
  switch (filter.kind) {
    case "ids": {
      const ids = filter.authorizationIds;
      return exactly(sql`(a.authorization_id || '') in ${list(ids)}`, sql`a.authorization_id in ${list(ids)}`, {
        atMost: ids.length,
      });
    }
    case "after":
    case "made_by":
    case "of_users":
    case "other_projects":
    case "state":
      return unled(plainCondition(filter));
    case "organization":
      return exactly(
        picked(sql`a.organization_id = ${filter.organizationId}`),
        sql`a.organization_id = ${filter.organizationId}`,
        keptCount(instanceId, filter),
      );
    case "users":
      return exactly(sql`(a.user_id || '') in ${list(filter.userIds)}`, sql`a.user_id in ${list(filter.userIds)}`);
    case "groups":
      // The index by groups omits the assignments of users.
      return exactly(
        sql`(a.group_id || '') in ${list(filter.groupIds)}`,
        sql`a.group_id <> '' and a.group_id in ${list(filter.groupIds)}`,
      );
    case "user_organization":
      return exactly(
        picked(sql`a.user_organization_id = ${filter.organizationId}`),
        sql`a.user_organization_id = ${filter.organizationId}`,
      );
    case "login_name":
      return ofUsers(context, { by: "preferredLoginName", method: filter.method, value: filter.loginName });
    case "display_name":
      return ofUsers(context, { by: "displayName", method: filter.method, value: filter.displayName });
    case "project":
      return exactly(
        picked(sql`a.project_id = ${filter.projectId}`),
        sql`a.project_id = ${filter.projectId}`,
        keptCount(instanceId, filter),
      );
    case "project_name": {
      const named = sql`select p.project_id from projects p
        where p.instance_id = ${instanceId} and ${textFilter(text("p.name"), filter.method, filter.name)}`;
      return exactly(picked(sql`exists (${named} and p.project_id = a.project_id)`), sql`a.project_id in (${named})`);
    }
    case "role_key":
      return ofRole(
        context,
        textFilter(text("r.role_key"), filter.method, filter.roleKey),
        keptCount(instanceId, filter),
      );
    case "project_grant":
      return exactly(
        picked(sql`a.project_grant_id = ${filter.projectGrantId}`),
        sql`a.project_grant_id = ${filter.projectGrantId}`,
      );
    case "user_kind":
      return unled(sql`exists (select 1 from users k where k.instance_id = ${instanceId} and k.user_id = a.user_id
        and k.kind = ${filter.userKind})`);
    case "user_text":
      return ofUsers(context, { by: userFields[filter.column], method: filter.method, value: filter.text });
    case "organization_name":
      return ofOrganizations(instanceId, textFilter(text("o.name"), filter.method, filter.name));
    case "organization_domain":
      return ofOrganizations(instanceId, textFilter(text("o.primary_domain"), filter.method, filter.domain));
    case "organization_or_owner":
      return unled(sql`((a.organization_id || '') = ${filter.organizationId} or exists (select 1 from projects p
        where p.instance_id = ${instanceId} and p.project_id = a.project_id and p.organization_id = ${filter.organizationId}))`);
    default:
      return filter satisfies never;
  }
}

const isOfWords = ({ kind }: AuthorizationFilter): boolean =>
  kind === "login_name" || kind === "display_name" || kind === "user_text";

const unled = (condition: Sql): ListFilter => ({ condition, candidates: undefined });

function ofOrganizations(instanceId: string, isMeant: Sql): ListFilter {
  const ids = sql`select o.organization_id from organizations o where o.instance_id = ${instanceId} and ${isMeant}`;
  const isNamed = picked(sql`exists (${ids} and o.organization_id = a.organization_id)`);
  return exactly(isNamed, sql`a.organization_id in (${ids})`);
}

function ofRole({ engine, instanceId }: FilterContext, isRole: Sql, known: { readonly count?: Sql }): ListFilter {
  const having = sql`r.instance_id = ${instanceId} and ${isRole}`;
  return exactly(
    picked(
      sql`exists (select ${ofAnyNumber} 1 from authorization_roles r where r.authorization_id = a.authorization_id and ${having})`,
    ),
    // When few assignments are known to match, their ids are looked up first; PostgreSQL would otherwise read all
    // assignments.
    engine === "postgres" && known.count !== undefined
      ? sql`a.authorization_id = any (array(select r.authorization_id from authorization_roles r where ${having}))`
      : sql`a.authorization_id in (select r.authorization_id from authorization_roles r where ${having})`,
    known,
  );
}

function keptCount(instanceId: string, filter: AuthorizationFilter): { readonly count?: Sql } {
  const countKey: CountKey | undefined = toCountKey([filter]);
  return countKey === undefined ? {} : { count: amountOf(instanceId, countKey) };
}

/** A role as a list of assignments shows it. */
export interface ListedRole {
  readonly authorizationId: string;
  readonly roleKey: string;
  readonly displayName: string;
  readonly roleGroup: string;
}

/** Lists the roles of assignments with their names: of all, or of as many from the first as have not too many. */
export function listRolesOfAuthorizations(
  reader: Reader,
  instanceId: string,
  authorizationIds: readonly string[],
): Promise<{ readonly details: ListedRole[]; readonly rows: number }> {
  // The roles are found before their names: joined, they are read in an order that depends on statistics.
  const nameOf = (column: "display_name" | "role_group") =>
    sql`coalesce((select p.${text(column)} from project_roles p where p.instance_id = ${instanceId}
      and p.project_id = (select a.project_id from authorizations a
        where a.instance_id = ${instanceId} and a.authorization_id = r.authorization_id)
      and p.role_key = r.role_key), '')`;
  return readDetails<ListedRole>(
    reader,
    authorizationIds,
    (ids, limit) => sql`select r.authorization_id as "authorizationId", r.role_key as "roleKey",
      ${nameOf("display_name")} as "displayName", ${nameOf("role_group")} as "roleGroup"
    from (select authorization_id, role_key from authorization_roles
      where instance_id = ${instanceId} and authorization_id in ${list(ids)} limit ${limit}) r`,
  );
}
