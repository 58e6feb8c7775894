import { byKey, join, joinRow, type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { isStillFounded } from "./is-still-founded.ts";
import { type FamilyRow, familyColumns, sessionHolds, splitWords, toFamily } from "./token-family.store.ts";
import type { AccessToken, ActiveToken } from "./token-family.ts";

export function insertAccessToken(tx: Tx, familyId: string, token: AccessToken): void {
  tx.write(sql`insert into access_tokens (instance_id, token_id, format, family_id, scope, audience, key_thumbprint, created_at, expires_at, revoked_at)
    values (${tx.instanceId}, ${token.tokenId}, ${token.format}, ${familyId}, ${token.scope}, ${token.audience.join(" ")},
      ${token.keyThumbprint}, ${token.createdAt}, ${token.expiresAt}, null)`);
}

interface ActiveRow extends FamilyRow {
  readonly format: "opaque" | "jwt";
  readonly scope: string;
  readonly audience: string;
  readonly keyThumbprint: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly organizationId: string | null;
  readonly preparedBy: string | null;
}

/** By what an access token is found: as it was presented, or by its id, as work that was begun with it names it. */
export type TokenKey =
  | { readonly tokenId: string; readonly format: "opaque" | "jwt" }
  | { readonly tokenId: string; readonly expiry: "is fine" };

/**
 * Finds the access token if it is valid now. It has not expired and is not revoked, nor is its family; its session is
 * not terminated; its user and the user's organization are active; what its family depends on still holds. Usually one
 * statement, because introspection and userinfo run it for every request.
 */
export async function findActiveAccessToken(
  reader: Reader,
  instanceId: string,
  key: TokenKey,
  now: number,
): Promise<ActiveToken | undefined> {
  const row = await reader.maybe<ActiveRow>(
    byKey(
      instanceId,
      sql`select a.format, a.scope, a.audience, a.key_thumbprint as "keyThumbprint", a.created_at as "createdAt",
      a.expires_at as "expiresAt", u.organization_id as "organizationId", s.prepared_by as "preparedBy", ${familyColumns}
    from access_tokens a ${rowsOfToken(reader, instanceId)}
    where a.instance_id = ${instanceId} and a.token_id = ${key.tokenId} and ${presented(key, now)}
      and a.revoked_at is null and f.revoked_at is null
      and (f.user_id is null or (u.state = 'active' and o.state = 'active'))
      and ${sessionHolds(reader, now)}`,
    ),
  );
  if (row === undefined) return undefined;
  const family = toFamily(row);
  if (!(await isStillFounded(reader, instanceId, family))) return undefined;
  return {
    kind: "access_token",
    tokenId: key.tokenId,
    format: row.format,
    scope: row.scope,
    audience: splitWords(row.audience),
    keyThumbprint: row.keyThumbprint ?? undefined,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    organizationId: row.organizationId ?? undefined,
    ...(row.preparedBy !== null && { preparedBy: JSON.parse(row.preparedBy) }),
    family,
  };
}

// What a token stands on, each by its key.
const rowsOfToken = (reader: Reader, instanceId: string): Sql => {
  const rows = [
    { kind: "inner", table: text("token_families"), alias: text("f"), key: sql`f.family_id = a.family_id` },
    { kind: "left", table: text("users"), alias: text("u"), key: sql`u.user_id = f.user_id` },
    { kind: "left", table: text("organizations"), alias: text("o"), key: sql`o.organization_id = u.organization_id` },
    { kind: "left", table: text("sessions"), alias: text("s"), key: sql`s.session_id = f.session_id` },
  ] as const;
  return join(
    rows.map(({ key, ...row }) =>
      joinRow(reader, { ...row, key: sql`${row.alias}.instance_id = ${instanceId} and ${key}` }),
    ),
    " ",
  );
};

const presented = (key: TokenKey, now: number): Sql =>
  "format" in key ? sql`a.format = ${key.format} and a.expires_at > ${now}` : sql`1 = 1`;

export interface TokenOwner {
  readonly familyId: string;
  readonly clientId: string;
}

/** Finds the client that an access token was issued to, in any state. */
export async function findAccessTokenOwner(
  reader: Reader,
  instanceId: string,
  tokenId: string,
): Promise<TokenOwner | undefined> {
  return reader.maybe<TokenOwner>(sql`select f.family_id as "familyId", f.client_id as "clientId"
    from access_tokens a join token_families f on f.instance_id = a.instance_id and f.family_id = a.family_id
    where a.instance_id = ${instanceId} and a.token_id = ${tokenId}`);
}

/** Revokes one access token. Returns false when it was revoked or is unknown. */
export async function markAccessTokenRevoked(tx: Tx, tokenId: string): Promise<boolean> {
  const count = await tx.run(sql`update access_tokens set revoked_at = ${tx.now}
    where instance_id = ${tx.instanceId} and token_id = ${tokenId} and revoked_at is null`);
  return count > 0;
}
