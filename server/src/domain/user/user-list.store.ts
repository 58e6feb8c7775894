import { type Call, requireCaller } from "../../call/index.ts";
import { type List, list, type Page, type Reader, readList, type Sql, sql, text } from "../../database/index.ts";
import type { User } from "./user.ts";
import { type Candidates, candidatesOf } from "./user-candidates.store.ts";
import { countOfUsers, isCounted } from "./user-count.store.ts";
import { foldedFields, isAmong } from "./user-fields.store.ts";
import { toConditions, type UserFilter } from "./user-filter.store.ts";
import { toUser, type UserRow, userColumns } from "./user-row.ts";

/** The order of a list; text without regard to its case. An index of users is in each of them. */
const sortColumns = {
  ...foldedFields,
  createdAt: text("users.created_at"),
  state: text("users.state"),
  kind: text("users.kind"),
} as const;

export type UserSortColumn = keyof typeof sortColumns;

export interface UserOrder {
  readonly by: UserSortColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

// So many users are found and put in order; more are rather met on a walk along the order, where there are enough of them.
const few = 5000;

/**
 * One page of the users for whom all filters hold and whom the caller may read. Either the filter that leaves the fewest leads, by its index,
 * to all of them, or the order does, and the filters pick on the way: whichever has less to read, so that the size of the whole does not count.
 */
export async function readUsers(
  reader: Reader,
  call: Call,
  filters: readonly UserFilter[],
  order: UserOrder,
): Promise<List<User>> {
  const { instanceId } = call;
  const toldApart = [isReadable(call), ...toConditions(instanceId, filters)];
  const leading = await findLeading(reader, instanceId, [
    readableCandidates(call),
    ...filters.map((filter) => candidatesOf({ engine: reader.engine, instanceId }, filter)),
  ]);
  const conditions = toldApart.flatMap((condition, index) => {
    if (leading?.index !== index) return [condition];
    return leading.isExact ? [leading.condition] : [leading.condition, condition];
  });
  const column = sortColumns[order.by];
  const { rows, total } = await readList<UserRow>(reader, {
    columns: userColumns,
    from: text("users"),
    where: [sql`users.instance_id = ${instanceId}`, ...conditions],
    // In an order that no index has, so that the engine does not walk along one.
    orderBy: leading === undefined ? column : order.by === "createdAt" ? sql`${column} + 0` : sql`${column} || ''`,
    id: text("users.user_id"),
    isDescending: order.isDescending,
    page: order.page,
    ...(filters.every(isCounted) && { total: countOfUsers(call, filters) }),
  });
  return { rows: rows.map(toUser), total };
}

/** The candidates that are fewest, if they are few, and the number of their condition. */
async function findLeading(
  reader: Reader,
  instanceId: string,
  all: readonly (Candidates | undefined)[],
): Promise<(Candidates & { readonly index: number }) | undefined> {
  const candidates = all.flatMap((each, index) => (each === undefined ? [] : [{ ...each, index }]));
  const known = candidates.find(({ atMost = Number.POSITIVE_INFINITY }) => atMost <= few);
  if (known !== undefined) return known;
  const counts = await Promise.all(candidates.map(({ condition }) => countUpToFew(reader, instanceId, condition)));
  const least = Math.min(...counts);
  return least > few ? undefined : candidates[counts.indexOf(least)];
}

async function countUpToFew(reader: Reader, instanceId: string, condition: Sql): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from (select 1 as "one" from users
    where users.instance_id = ${instanceId} and ${condition} limit ${few + 1}) few`);
  return row?.count ?? 0;
}

/** The condition that the caller may read a row of `users`, or of a table that is joined with it. */
export function isReadable(call: Call): Sql {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  if (reach.everywhere) return text("1 = 1");
  return sql`((users.organization_id || '') in ${list(reach.organizationIds)} or (users.user_id || '') = ${userId})`;
}

function readableCandidates(call: Call): Candidates | undefined {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  if (reach.everywhere) return undefined;
  const condition = isAmong(sql`select users.user_id from users
      where users.instance_id = ${call.instanceId} and users.organization_id in ${list(reach.organizationIds)}
    union all select users.user_id from users where users.instance_id = ${call.instanceId} and users.user_id = ${userId}`);
  return { condition, isExact: true };
}

/** Verified domains of organizations, primary first: what login names are formed with. */
export function listVerifiedDomains(
  reader: Reader,
  instanceId: string,
  organizationIds: readonly string[],
): Promise<{ readonly organizationId: string; readonly domain: string }[]> {
  return reader.all(sql`select organization_id as "organizationId", domain from organization_domains
    where instance_id = ${instanceId} and organization_id in ${list(organizationIds)} and is_verified = 1
    order by is_primary desc, domain`);
}
