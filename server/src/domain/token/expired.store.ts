import { type EndedRows, sql, text } from "../../database/index.ts";

// For the job that removes what has expired.

/** Codes that expired before the instant, used or not. */
export const expiredCodes = (before: number): EndedRows => ({
  table: text("authorization_codes"),
  where: () => sql`expires_at < ${before}`,
});

/** Access tokens that expired before the instant. */
export const expiredAccessTokens = (before: number): EndedRows => ({
  table: text("access_tokens"),
  where: (instance) => sql`expires_at < ${before} and not exists (select 1 from bulk_jobs j
    where j.instance_id = ${instance} and j.token_id = access_tokens.token_id and j.state in ('queued', 'running'))`,
});

/** Refresh tokens that expired before the instant, used or not. */
export const expiredRefreshTokens = (before: number): EndedRows => ({
  table: text("refresh_tokens"),
  where: () => sql`expires_at < ${before}`,
});

/** Families whose refreshing ended before the instant and that have no tokens left. */
export const expiredFamilies = (before: number): EndedRows => ({
  table: text("token_families"),
  where: (instance) => sql`expires_at < ${before}
    and not exists (select 1 from access_tokens a
      where a.instance_id = ${instance} and a.family_id = token_families.family_id)
    and not exists (select 1 from refresh_tokens r
      where r.instance_id = ${instance} and r.family_id = token_families.family_id)`,
});

/** Sources of families that expired before the instant and whose family is gone. */
export const expiredFamilySources = (before: number): EndedRows => ({
  table: text("token_family_sources"),
  where: (instance) => sql`expires_at < ${before}
    and not exists (select 1 from token_families f
      where f.instance_id = ${instance} and f.family_id = token_family_sources.family_id)`,
});

/** Used assertions that expired before the instant. */
export const expiredAssertions = (before: number): EndedRows => ({
  table: text("used_assertions"),
  where: () => sql`expires_at < ${before}`,
});
