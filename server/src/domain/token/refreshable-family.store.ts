import { type List, type Page, type Reader, readList, type Sql, sql, text } from "../../database/index.ts";
import { splitWords } from "./token-family.store.ts";

/** What an application may renew for a user. Its id stays while refresh tokens replace one another. */
export interface RefreshableFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly authTime: number | undefined;
  /** Ends then unless refreshed; never later than `expiresAt`. */
  readonly idleExpiresAt: number;
  readonly expiresAt: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

interface Row {
  readonly familyId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string;
  readonly authTime: number | null;
  readonly idleExpiresAt: number;
  readonly expiresAt: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

// As `consumeRefreshToken` would find it: what cannot be used is not listed.
const live = (
  instanceId: string,
  userId: string,
  now: number,
): Sql => sql`f.user_id = ${userId} and f.revoked_at is null
  and f.expires_at > ${now} and r.consumed_at is null and r.revoked_at is null and r.expires_at > ${now}
  and (f.session_id is null or exists (select 1 from sessions s
    where s.instance_id = ${instanceId} and s.session_id = f.session_id and s.terminated_at is null))`;

const tables = text(`token_families f
  join refresh_tokens r on r.instance_id = f.instance_id and r.family_id = f.family_id`);

/** Lists everything that applications can renew for a user now. */
export async function listRefreshableFamilies(
  reader: Reader,
  instanceId: string,
  wanted: { readonly userId: string; readonly now: number; readonly page: Page },
): Promise<List<RefreshableFamily>> {
  const { rows, total } = await readList<Row>(reader, {
    columns: text(`f.family_id as "familyId", f.client_id as "clientId", f.scope, f.audience, f.auth_time as "authTime",
      r.expires_at as "idleExpiresAt", f.expires_at as "expiresAt", f.sequence, f.created_at as "createdAt",
      r.created_at as "changedAt"`),
    from: tables,
    where: [sql`f.instance_id = ${instanceId} and ${live(instanceId, wanted.userId, wanted.now)}`],
    orderBy: text("f.created_at"),
    id: text("f.family_id"),
    isDescending: true,
    page: wanted.page,
  });
  return {
    rows: rows.map(({ scope, audience, authTime, ...row }) => ({
      ...row,
      scopes: splitWords(scope),
      audience: splitWords(audience),
      authTime: authTime ?? undefined,
    })),
    total,
  };
}

/** Lists the ids of what applications can renew for a user; only the named one when given. */
export async function listRefreshableFamilyIds(
  reader: Reader,
  instanceId: string,
  wanted: {
    readonly userId: string;
    readonly now: number;
    readonly familyId?: string | undefined;
    readonly limit: number;
  },
): Promise<string[]> {
  const which = wanted.familyId === undefined ? text("") : sql`and f.family_id = ${wanted.familyId}`;
  const rows = await reader.all<{ familyId: string }>(sql`select distinct f.family_id as "familyId" from ${tables}
    where f.instance_id = ${instanceId} and ${live(instanceId, wanted.userId, wanted.now)} ${which} order by f.family_id limit ${wanted.limit}`);
  return rows.map(({ familyId }) => familyId);
}
