import {
  type InstantMethod,
  instantFilter,
  type List,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  text,
} from "../../database/index.ts";

/** What lists show of a key or a personal access token: never a value. */
export interface ListedCredential {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string;
  /** Scope of a token, space-delimited; keys have none. */
  readonly scope: string;
  readonly expiresAt: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export type CredentialFilter =
  | { readonly by: "id" | "userId" | "organizationId"; readonly value: string }
  | { readonly by: "createdAt" | "expiresAt"; readonly method: InstantMethod; readonly instant: number };

export type CredentialSortColumn = "createdAt" | "id" | "userId" | "organizationId" | "expiresAt";

export interface CredentialOrder {
  readonly by: CredentialSortColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

const tables = {
  key: { from: text("user_keys c"), id: text("c.key_id"), scope: text("''") },
  token: { from: text("personal_access_tokens c"), id: text("c.token_id"), scope: text("c.scope") },
} as const;

/** Reads keys or personal access tokens with the users that they belong to, as the condition on `users` allows. */
export function readCredentials(
  reader: Reader,
  kind: keyof typeof tables,
  where: { readonly instanceId: string; readonly isReadable: Sql; readonly filters: readonly CredentialFilter[] },
  order: CredentialOrder,
): Promise<List<ListedCredential>> {
  const { from, id, scope } = tables[kind];
  const columns = {
    id,
    userId: text("c.user_id"),
    organizationId: text("users.organization_id"),
    createdAt: text("c.created_at"),
    expiresAt: text("c.expires_at"),
  } as const;
  return readList<ListedCredential>(reader, {
    columns: sql`${id} as "id", c.user_id as "userId", users.organization_id as "organizationId",
      ${scope} as "scope", c.expires_at as "expiresAt", c.sequence, c.created_at as "createdAt", c.changed_at as "changedAt"`,
    from: sql`${from} join users on users.instance_id = c.instance_id and users.user_id = c.user_id`,
    where: [
      sql`c.instance_id = ${where.instanceId}`,
      where.isReadable,
      ...where.filters.map((filter) =>
        "value" in filter
          ? sql`${columns[filter.by]} = ${filter.value}`
          : instantFilter(columns[filter.by], filter.method, filter.instant),
      ),
    ],
    orderBy: columns[order.by],
    id,
    isDescending: order.isDescending,
    page: order.page,
  });
}
