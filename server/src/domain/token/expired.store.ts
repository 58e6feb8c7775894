import { deleteBatch, sql, type Tx, text } from "../../database/index.ts";

// For the job that removes what has expired.

/** Step: removes codes that expired before the instant, used or not, of every instance; at most `limit`. */
export function deleteExpiredCodes(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, code_hash");
  return deleteBatch(tx, { table: text("authorization_codes"), key, where: sql`expires_at < ${before}`, limit });
}

/** Step: removes access tokens that expired before the instant, of every instance; at most `limit`. */
export function deleteExpiredAccessTokens(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, token_id");
  return deleteBatch(tx, { table: text("access_tokens"), key, where: sql`expires_at < ${before}`, limit });
}

/** Step: removes refresh tokens that expired before the instant, used or not, of every instance; at most `limit`. */
export function deleteExpiredRefreshTokens(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, token_hash");
  return deleteBatch(tx, { table: text("refresh_tokens"), key, where: sql`expires_at < ${before}`, limit });
}

/**
 * Step: removes families whose refreshing ended before the instant and that have no tokens left, of every instance; at
 * most `limit`.
 */
export function deleteExpiredFamilies(tx: Tx, before: number, limit: number): Promise<number> {
  return deleteBatch(tx, {
    table: text("token_families"),
    key: text("instance_id, family_id"),
    where: sql`expires_at < ${before}
      and not exists (select 1 from access_tokens a
        where a.instance_id = token_families.instance_id and a.family_id = token_families.family_id)
      and not exists (select 1 from refresh_tokens r
        where r.instance_id = token_families.instance_id and r.family_id = token_families.family_id)`,
    limit,
  });
}

/**
 * Step: removes family sources that expired before the instant and whose family is gone, of every instance; at most
 * `limit`.
 */
export function deleteExpiredFamilySources(tx: Tx, before: number, limit: number): Promise<number> {
  return deleteBatch(tx, {
    table: text("token_family_sources"),
    key: text("instance_id, family_id, kind, source_id"),
    where: sql`expires_at < ${before}
      and not exists (select 1 from token_families f
        where f.instance_id = token_family_sources.instance_id and f.family_id = token_family_sources.family_id)`,
    limit,
  });
}

/** Step: forgets used assertions that expired before the instant, of every instance; at most `limit`. */
export function deleteExpiredAssertions(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, kind, issuer, assertion_hash");
  return deleteBatch(tx, { table: text("used_assertions"), key, where: sql`expires_at < ${before}`, limit });
}
