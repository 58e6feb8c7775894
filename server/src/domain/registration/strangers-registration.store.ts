import { blockOf } from "../../base/budget/network-of.ts";
import { days, hours } from "../../base/clock.ts";
import { type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";

// Registrations of strangers are those with an expiry.

/** How long a used registration is kept after its last token has ended. */
const idleLifetime = days(90);

/** The last use is noted to the day, so that clients in use cause few writes. */
const precision = days(1);

/**
 * Clients of strangers that one user keeps in use: those that they consented to last. Users pay for the clients that
 * they use, so that clients in use need no limit that an account could exhaust for others.
 */
const clientsOfUser = 50;

/** How long a registration is kept once it counts for no user's limit; meanwhile it counts as unused. */
const releasedLifetime = days(7);

/** Older marks were seen by earlier runs of the job, which runs every minute. */
const recently = hours(1);

/** How many registrations of strangers an instance has, in total, from one source and from its block. */
export interface StrangersCount {
  readonly all: number;
  readonly ofSource: number;
  readonly ofBlock: number;
}

// A condition of registrations `r` of an instance: no administrator vouches for the client.
const hasNoVoucher = (instance: Sql): Sql => sql`exists (select 1 from applications a where a.instance_id = ${instance}
  and a.application_id = r.application_id and a.requires_consent = 1)`;

// Another: the client got tokens since its use was noted, or has some that live.
const isInUse = ({ now, instanceId }: Tx): Sql => sql`exists (select 1 from token_families f
  where f.instance_id = ${instanceId} and f.client_id = r.client_id
  and (f.created_at > r.last_used_at or (f.revoked_at is null and (
    exists (select 1 from access_tokens t where t.instance_id = ${instanceId} and t.family_id = f.family_id
      and t.revoked_at is null and t.expires_at > ${now})
    or exists (select 1 from refresh_tokens t where t.instance_id = ${instanceId} and t.family_id = f.family_id
      and t.revoked_at is null and t.consumed_at is null and t.expires_at > ${now})))))`;

// Another: the client is among the newest of strangers that one of its users consented to. Newer ones are looked at
// only until there are enough: a user may have consented to any number.
const isPaid = ({ instanceId }: Tx): Sql => sql`exists (select 1 from consents p
  where p.instance_id = ${instanceId} and p.client_id = r.client_id
  and not exists (select 1 from consents n
    join registrations o on o.instance_id = n.instance_id and o.client_id = n.client_id and o.expires_at is not null
    join applications a on a.instance_id = o.instance_id and a.application_id = o.application_id and a.requires_consent = 1
    where n.instance_id = ${instanceId} and n.user_id = p.user_id and (n.changed_at > p.changed_at
      or (n.changed_at = p.changed_at and n.client_id > p.client_id)) limit 1 offset ${clientsOfUser - 1}))`;

// Another: the client got tokens, and an administrator vouches for it or a user pays.
const isKept = (tx: Tx): Sql => sql`exists (select 1 from token_families f where f.instance_id = ${tx.instanceId}
  and f.client_id = r.client_id) and (not ${hasNoVoucher(sql`${tx.instanceId}`)} or ${isPaid(tx)})`;

/**
 * Counts registrations that are not in use; says when the next of them expires. Those that were in use before count for
 * their source and block alone: accounts that stop using many must not close the instance to others.
 */
export async function countUnused(
  tx: Tx,
  source = "",
): Promise<StrangersCount & { readonly nextExpiry: number | null }> {
  const row = await tx.maybe<Record<keyof StrangersCount | "nextExpiry", number | null>>(sql`select
      coalesce(sum(case when last_used_at is null then 1 else 0 end), 0) as "all",
      coalesce(sum(case when source = ${source} then 1 else 0 end), 0) as "ofSource",
      coalesce(sum(case when ${isOfBlock(source)} then 1 else 0 end), 0) as "ofBlock", min(expires_at) as "nextExpiry"
    from registrations where instance_id = ${tx.instanceId} and expires_at is not null and used_at is null`);
  const { all = 0, ofSource = 0, ofBlock = 0, nextExpiry = null } = row ?? {};
  return { all: Number(all), ofSource: Number(ofSource), ofBlock: Number(ofBlock), nextExpiry };
}

// A condition: networks of a block begin alike, `2001:db8:1:…` in `2001:db8:1::/48`. Other sources are their own block.
function isOfBlock(source: string): Sql {
  const block = blockOf(source);
  if (block === source) return sql`source = ${source}`;
  const beginning = block.slice(0, -":/48".length);
  return sql`substr(source, 1, ${beginning.length}) = ${beginning}`;
}

// Another: it may make room for one of another source. It was never in use, and neither a user nor an administrator
// keeps it.
const mayGo = (tx: Tx): Sql => sql`r.expires_at is not null and r.used_at is null and r.last_used_at is null
  and ${hasNoVoucher(sql`${tx.instanceId}`)} and not ${isPaid(tx)}`;

/** How many registrations of a source may make room for others. */
export interface SourceCount {
  /** Empty where it is unknown. */
  readonly source: string;
  readonly count: number;
}

/** Counts by source the registrations that may make room for others; the source with the newest one first. */
export async function countDispensable(tx: Tx): Promise<SourceCount[]> {
  const rows = await tx.all<SourceCount>(sql`select coalesce(r.source, '') as "source", count(*) as "count"
    from registrations r where r.instance_id = ${tx.instanceId} and ${mayGo(tx)}
    group by coalesce(r.source, '') order by max(r.created_at) desc, coalesce(r.source, '')`);
  return rows.map(({ source, count }) => ({ source, count: Number(count) }));
}

/** Lists the applications of those of a source, newest first. */
export async function listDispensable(tx: Tx, source: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ applicationId: string }>(sql`select r.application_id as "applicationId"
    from registrations r where r.instance_id = ${tx.instanceId} and coalesce(r.source, '') = ${source} and ${mayGo(tx)}
    order by r.created_at desc, r.application_id desc limit ${limit}`);
  return rows.map(({ applicationId }) => applicationId);
}

/** Returns whether the registration may still make room, in the unit of work that holds its application. */
export async function isDispensable(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from registrations r
    where r.instance_id = ${tx.instanceId} and r.application_id = ${applicationId} and ${mayGo(tx)}`);
  return row !== undefined;
}

/** Lists the instances with registrations of strangers. */
export async function listInstancesOfStrangers(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{
    instanceId: string;
  }>(sql`select distinct instance_id as "instanceId" from registrations
    where expires_at is not null`);
  return rows.map(({ instanceId }) => instanceId);
}

/**
 * Marks unused registrations that have received tokens since, and for which an administrator vouches or a user pays.
 * Returns how many.
 */
export function markUsed(tx: Tx): Promise<number> {
  return tx.run(sql`update registrations as r set used_at = ${tx.now}, last_used_at = ${tx.now}
    where r.instance_id = ${tx.instanceId} and r.expires_at is not null and r.used_at is null and ${isKept(tx)}`);
}

/**
 * Marks used registrations as unused when they no longer count for any user's limit: those without consents, and the
 * oldest consents of users who have just consented to further clients. Returns how many.
 */
export function releaseUnpaid(tx: Tx): Promise<number> {
  const recent = tx.now - recently;
  return tx.run(sql`update registrations as r set used_at = null, expires_at = ${tx.now + releasedLifetime},
      last_used_at = coalesce(r.last_used_at, ${tx.now})
    where r.instance_id = ${tx.instanceId} and r.expires_at is not null and r.used_at is not null
      and ${hasNoVoucher(sql`${tx.instanceId}`)} and (
        not exists (select 1 from consents c where c.instance_id = ${tx.instanceId} and c.client_id = r.client_id)
        or (r.client_id in (select c.client_id from consents c
          where c.instance_id = ${tx.instanceId} and c.user_id in (select d.user_id from registrations s
            join consents d on d.instance_id = s.instance_id and d.client_id = s.client_id
            where (s.instance_id || '') = ${tx.instanceId} and s.expires_at is not null and s.used_at is not null
              and s.last_used_at > ${recent} and s.used_at > ${recent}))
        and not ${isPaid(tx)}))`);
}

/**
 * Notes the registrations that have living tokens, or got some since it was last noted. Ended families are kept for a
 * day, so none is missed. Returns how many were noted.
 */
export function noteUse(tx: Tx): Promise<number> {
  return tx.run(sql`update registrations as r set last_used_at = ${tx.now}
    where r.instance_id = ${tx.instanceId} and r.expires_at is not null and r.used_at is not null
      and (r.last_used_at is null or (r.last_used_at <= ${tx.now - precision} and ${isInUse(tx)}))`);
}

interface Found {
  readonly instanceId: string;
  readonly applicationId: string;
}

/** Lists registrations that are not used and have expired, of every instance, oldest first. */
export function listExpiredUnused(reader: Reader, now: number, limit: number): Promise<Found[]> {
  return reader.all<Found>(sql`select instance_id as "instanceId", application_id as "applicationId" from registrations
    where expires_at is not null and used_at is null and expires_at <= ${now} order by expires_at limit ${limit}`);
}

/** Lists registrations whose clients were used long ago, and for which no administrator vouches; longest ago first. */
export function listIdle(reader: Reader, now: number, limit: number): Promise<Found[]> {
  return reader.all<Found>(sql`select r.instance_id as "instanceId", r.application_id as "applicationId" from registrations r
    where r.expires_at is not null and r.used_at is not null and r.last_used_at <= ${now - idleLifetime} and ${hasNoVoucher(text("r.instance_id"))}
    order by r.last_used_at limit ${limit}`);
}

/** Returns whether the registration is still unused, in the unit of work that is about to remove it. */
export async function isUnused(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from registrations r
    where r.instance_id = ${tx.instanceId} and r.application_id = ${applicationId}
      and r.expires_at <= ${tx.now} and r.used_at is null and not (${isKept(tx)})`);
  return row !== undefined;
}

/** Returns whether the registration is still idle, in the unit of work that is about to remove it. */
export async function isIdle(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from registrations r
    where r.instance_id = ${tx.instanceId} and r.application_id = ${applicationId}
      and r.expires_at is not null and r.used_at is not null and r.last_used_at <= ${tx.now - idleLifetime}
      and ${hasNoVoucher(sql`${tx.instanceId}`)} and not ${isInUse(tx)}`);
  return row !== undefined;
}
