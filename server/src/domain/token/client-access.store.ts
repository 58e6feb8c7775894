import { type Reader, sql } from "../../database/index.ts";

/** An authorization that is usable now: a client can renew something with it, or call with something. */
export interface UsableFamily {
  readonly clientId: string;
  readonly scope: string;
  readonly createdAt: number;
  /** When the refresh token that it can renew with was issued. */
  readonly refreshedAt: number | null;
  /** When the newest of its valid access tokens was issued. */
  readonly calledAt: number | null;
}

/** Lists the authorizations of a user that are usable now; at most `limit`, the newest first. */
export function listUsableFamilies(
  reader: Reader,
  instanceId: string,
  wanted: { readonly userId: string; readonly now: number; readonly limit: number },
): Promise<UsableFamily[]> {
  const { userId, now, limit } = wanted;
  return reader.all<UsableFamily>(sql`select * from (select f.client_id as "clientId", f.scope, f.created_at as "createdAt",
      (select max(r.created_at) from refresh_tokens r where r.instance_id = ${instanceId} and r.family_id = f.family_id
        and r.consumed_at is null and r.revoked_at is null and r.expires_at > ${now} and f.expires_at > ${now}) as "refreshedAt",
      (select max(a.created_at) from access_tokens a where a.instance_id = ${instanceId} and a.family_id = f.family_id
        and a.revoked_at is null and a.expires_at > ${now}) as "calledAt"
    from token_families f
    where f.instance_id = ${instanceId} and f.user_id = ${userId} and f.revoked_at is null
      and (f.session_id is null or exists (select 1 from sessions s
        where s.instance_id = ${instanceId} and s.session_id = f.session_id and s.terminated_at is null))) usable
    where usable."refreshedAt" is not null or usable."calledAt" is not null
    order by usable."createdAt" desc limit ${limit}`);
}
