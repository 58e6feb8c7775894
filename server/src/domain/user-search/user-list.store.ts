import { type Call, requireCaller } from "../../call/index.ts";
import {
  type Beside,
  type ListStatement,
  list,
  orderOf,
  type Page,
  planList,
  type Reader,
  readStretch,
  type Sql,
  type Stretch,
  sql,
  text,
  type VisibleRows,
} from "../../database/index.ts";
import { toUser, type User, type UserRow, userColumns } from "../user/index.ts";
import { readCommonParts } from "./common-parts.store.ts";
import { candidatesOf, isOfWords } from "./user-candidates.store.ts";
import { countOfUsers, isCounted } from "./user-count.store.ts";
import { foldedFields, isAmong, ofList } from "./user-fields.store.ts";
import { toConditions, type UserFilter } from "./user-filter.store.ts";

/** The sort columns of a list; text without regard to its case. Each has an index of users. */
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
  /** The row that the page is beside, in place of its offset. */
  readonly beside?: Beside | undefined;
}

/**
 * Reads one page of the users that match all filters and that the caller may read. The cost does not grow with the
 * number of users, as long as the filters leave few, or the page is beside another one or near the beginning.
 */
export async function readUsers(
  reader: Reader,
  call: Call,
  filters: readonly UserFilter[],
  order: UserOrder,
): Promise<Stretch<User>> {
  const { instanceId } = call;
  const from = text("users");
  const instance = ofList(instanceId);
  const conditions = toConditions(instanceId, filters);
  const id = text("users.user_id");
  const commonParts = filters.some(isOfWords) ? await readCommonParts(reader, instanceId) : new Set<string>();
  const plan = await planList(
    reader,
    { from, instance, id },
    filters.map((filter, index) => ({
      condition: conditions[index] ?? text("1 = 0"),
      candidates: candidatesOf({ engine: reader.engine, instanceId, commonParts }, filter),
    })),
    readableRows(reader.engine, call),
  );
  const type = order.by === "createdAt" ? "instant" : "text";
  const list: ListStatement = {
    isPlanned: true,
    columns: userColumns,
    from,
    where: [instance, ...plan.where],
    orderBy: orderOf(plan, sortColumns[order.by], type),
    sortedBy: orderOf({ isOfFew: true }, sortColumns[order.by], type),
    id,
    isDescending: order.isDescending,
    page: order.page,
    total: filters.every(isCounted) ? countOfUsers(call, filters) : undefined,
    counted: { from, instance, plan: plan.counted },
  };
  const found = await readStretch<UserRow>(plan.reader, list, order.beside);
  return { ...found, rows: found.rows.map(toUser) };
}

/** Returns the condition that the caller may read a row of `users`, or of a table that is joined with it. */
export function isReadable(call: Call): Sql {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  if (reach.everywhere) return text("1 = 1");
  // Alone, an index finds what is the caller's own.
  if (reach.organizationIds.length === 0) return sql`users.user_id = ${userId}`;
  return sql`((users.organization_id || '') in ${list(reach.organizationIds)} or (users.user_id || '') = ${userId})`;
}

function readableRows(engine: Reader["engine"], call: Call): VisibleRows | undefined {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  if (reach.everywhere) return undefined;
  const isOwn = reach.organizationIds.length === 0;
  const own = sql`select users.user_id from users where users.instance_id = ${call.instanceId} and users.user_id = ${userId}`;
  const found = isOwn
    ? own
    : sql`select users.user_id from users
        where users.instance_id = ${call.instanceId} and (users.user_id || '') <> ''
          and users.organization_id in ${list(reach.organizationIds)}
      union all ${own}`;
  // A subquery of a condition is read to its end first.
  const first = (count: number): Sql => sql`select readable.user_id as "id" from (${found}) readable limit ${count}`;
  return {
    condition: isReadable(call),
    candidates: { condition: isAmong(engine, found), isExact: true, first },
    isOwn,
  };
}

/** Lists proven domains of organizations, primary first, at most so many of each: those that form login names. */
export function listVerifiedDomains(
  reader: Reader,
  instanceId: string,
  { organizationIds, limit }: { readonly organizationIds: readonly string[]; readonly limit: number },
): Promise<{ readonly organizationId: string; readonly domain: string }[]> {
  return reader.all(sql`select organization_id as "organizationId", domain from (
      select organization_id, domain,
        row_number() over (partition by organization_id order by is_primary desc, domain) as rank
      from organization_domains
      where instance_id = ${instanceId} and organization_id in ${list(organizationIds)} and is_proven = 1) ordered
    where rank <= ${limit} order by rank`);
}
