import { type Call, requireCaller } from "../../call/index.ts";
import { type List, list, type Page, type Reader, readList, type Sql, sql, text } from "../../database/index.ts";
import type { User } from "./user.ts";
import { toUser, type UserRow, userColumns } from "./user-row.ts";

const sortColumns = {
  createdAt: text("users.created_at"),
  username: text("users.username"),
  givenName: text("coalesce(users.given_name, '')"),
  familyName: text("coalesce(users.family_name, '')"),
  nickName: text("coalesce(users.nick_name, '')"),
  displayName: text("users.display_name"),
  email: text("coalesce(users.email, '')"),
  state: text("users.state"),
  kind: text("users.kind"),
} as const;

export type UserSortColumn = keyof typeof sortColumns;

// Expressions that no index is in the order of. SQLite would rather walk such an index over all users than find few and sort them.
const unindexed: Partial<Record<UserSortColumn, Sql>> = {
  createdAt: text("users.created_at + 0"),
  displayName: text("users.display_name || ''"),
};

export interface UserOrder {
  readonly by: UserSortColumn;
  readonly isDescending: boolean;
  readonly page: Page;
  /** Whether the conditions leave few users. */
  readonly isOfFew: boolean;
}

/** One page of the users for whom all conditions hold and whom the caller may read. */
export async function readUsers(
  reader: Reader,
  call: Call,
  conditions: readonly Sql[],
  order: UserOrder,
): Promise<List<User>> {
  const { rows, total } = await readList<UserRow>(reader, {
    columns: userColumns,
    from: text("users"),
    where: [sql`users.instance_id = ${call.instanceId}`, isReadable(call), ...conditions],
    orderBy: (order.isOfFew ? unindexed[order.by] : undefined) ?? sortColumns[order.by],
    id: text("users.user_id"),
    isDescending: order.isDescending,
    page: order.page,
  });
  return { rows: rows.map(toUser), total };
}

/** The condition that the caller may read a row of `users`, or of a table that is joined with it. */
export function isReadable(call: Call): Sql {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  if (reach.everywhere) return sql`1 = 1`;
  return sql`(users.organization_id in ${list(reach.organizationIds)} or users.user_id = ${userId})`;
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
