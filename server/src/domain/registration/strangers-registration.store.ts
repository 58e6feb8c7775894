import { days } from "../../base/clock.ts";
import { type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";

// Registrations of strangers are those with an expiry.

/** How long a registration is kept that was used, and has no living tokens any more. */
const idleLifetime = days(90);

/** The last use is noted to the day, so that clients in use cause few writes. */
const precision = days(1);

/** How many registrations of strangers an instance has, in total and from one source. */
export interface StrangersCount {
  readonly all: number;
  readonly ofSource: number;
}

// A condition of registrations `r`: no administrator vouches for the client.
const hasNoVoucher = text(`exists (select 1 from applications a where a.instance_id = r.instance_id
  and a.application_id = r.application_id and a.requires_consent = 1)`);

const isOfClient = text("f.instance_id = r.instance_id and f.client_id = r.client_id");

// A condition of registrations `r`: the client got tokens since its use was noted, or has some that live.
const isInUse = (now: number): Sql => sql`exists (select 1 from token_families f where ${isOfClient}
  and (f.created_at > r.last_used_at or (f.revoked_at is null and (
    exists (select 1 from access_tokens t where t.instance_id = f.instance_id and t.family_id = f.family_id
      and t.revoked_at is null and t.expires_at > ${now})
    or exists (select 1 from refresh_tokens t where t.instance_id = f.instance_id and t.family_id = f.family_id
      and t.revoked_at is null and t.consumed_at is null and t.expires_at > ${now})))))`;

/** Counts registrations that were not used yet; says when the next of them expires. */
export async function countUnused(
  tx: Tx,
  source: string | undefined,
): Promise<StrangersCount & { readonly nextExpiry: number | null }> {
  const row = await tx.maybe<StrangersCount & { nextExpiry: number | null }>(sql`select count(*) as "all",
      coalesce(sum(case when source = ${source ?? ""} then 1 else 0 end), 0) as "ofSource", min(expires_at) as "nextExpiry"
    from registrations where instance_id = ${tx.instanceId} and expires_at is not null and used_at is null`);
  return { all: Number(row?.all ?? 0), ofSource: Number(row?.ofSource ?? 0), nextExpiry: row?.nextExpiry ?? null };
}

/**
 * Counts registrations that were used, of clients for which no administrator vouches. Does not read the rows of their
 * applications, which are long: an index has what is needed.
 */
export async function countUsed(tx: Tx, source: string | undefined): Promise<StrangersCount> {
  const row = await tx.maybe<StrangersCount>(sql`select count(*) as "all",
      coalesce(sum(case when r.source = ${source ?? ""} then 1 else 0 end), 0) as "ofSource"
    from registrations r where r.instance_id = ${tx.instanceId} and r.expires_at is not null and r.used_at is not null
      and r.application_id in (select a.application_id from applications a
        where a.instance_id = ${tx.instanceId} and a.requires_consent = 1)`);
  return { all: Number(row?.all ?? 0), ofSource: Number(row?.ofSource ?? 0) };
}

/** Marks unused registrations that have received tokens since, in every instance. Returns how many. */
export function markUsed(tx: Tx): Promise<number> {
  return tx.run(sql`update registrations as r set used_at = ${tx.now}, last_used_at = ${tx.now}
    where r.expires_at is not null and r.used_at is null and exists (select 1 from token_families f where ${isOfClient})`);
}

/**
 * Notes the registrations that have living tokens, or got some since it was last noted, in every instance. Ended families
 * are kept for a day, so none is missed. Returns how many were noted.
 */
export function noteUse(tx: Tx): Promise<number> {
  return tx.run(sql`update registrations as r set last_used_at = ${tx.now}
    where r.expires_at is not null and r.used_at is not null and (r.last_used_at is null
      or (r.last_used_at <= ${tx.now - precision} and ${isInUse(tx.now)}))`);
}

interface Found {
  readonly instanceId: string;
  readonly applicationId: string;
}

/** Lists registrations that were never used and have expired, of every instance, oldest first. */
export function listExpiredUnused(reader: Reader, now: number, limit: number): Promise<Found[]> {
  return reader.all<Found>(sql`select instance_id as "instanceId", application_id as "applicationId" from registrations
    where expires_at is not null and used_at is null and expires_at <= ${now} order by expires_at limit ${limit}`);
}

/** Lists registrations whose clients were used long ago, and for which no administrator vouches; longest ago first. */
export function listIdle(reader: Reader, now: number, limit: number): Promise<Found[]> {
  return reader.all<Found>(sql`select r.instance_id as "instanceId", r.application_id as "applicationId" from registrations r
    where r.expires_at is not null and r.used_at is not null and r.last_used_at <= ${now - idleLifetime} and ${hasNoVoucher}
    order by r.last_used_at limit ${limit}`);
}

/** Returns whether the registration is still unused, in the unit of work that is about to remove it. */
export async function isUnused(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from registrations r
    where r.instance_id = ${tx.instanceId} and r.application_id = ${applicationId}
      and r.expires_at <= ${tx.now} and r.used_at is null
      and not exists (select 1 from token_families f where ${isOfClient})`);
  return row !== undefined;
}

/** Returns whether the registration is still idle, in the unit of work that is about to remove it. */
export async function isIdle(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from registrations r
    where r.instance_id = ${tx.instanceId} and r.application_id = ${applicationId}
      and r.expires_at is not null and r.used_at is not null and r.last_used_at <= ${tx.now - idleLifetime} and ${hasNoVoucher}
      and not ${isInUse(tx.now)}`);
  return row !== undefined;
}
