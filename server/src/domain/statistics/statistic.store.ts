import type { Instant } from "../../base/clock.ts";
import { deleteAll, type EndedRows, join, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { Granularity, Statistic, StatisticName } from "./statistic.ts";

// Rows in one statement.
const atOnce = 100;

/** Adds to the counts of an instance. */
export async function addStatistics(tx: Tx, instanceId: string, statistics: readonly Statistic[]): Promise<void> {
  for (let from = 0; from < statistics.length; from += atOnce) {
    const rows = statistics.slice(from, from + atOnce).map(
      (each) => sql`(${instanceId}, ${each.organizationId}, ${each.granularity}, ${each.bucketStart}, ${each.name},
          ${each.amount})`,
    );
    await tx.run(sql`insert into statistics (instance_id, organization_id, granularity, bucket_start, name, amount)
      values ${join(rows, ", ")}
      on conflict (instance_id, organization_id, granularity, bucket_start, name)
        do update set amount = statistics.amount + excluded.amount`);
  }
}

/** A user in a day or month. */
export interface Activity {
  readonly userId: string;
  readonly granularity: "day" | "month";
  readonly bucketStart: Instant;
  /** From when on nothing is counted in the bucket any longer. */
  readonly expiresAt: Instant;
}

/** Notes when users were active, and returns what was not known. */
export async function addActivities(
  tx: Tx,
  instanceId: string,
  activities: readonly Activity[],
): Promise<Pick<Activity, "userId" | "granularity" | "bucketStart">[]> {
  const added = [];
  for (let from = 0; from < activities.length; from += atOnce) {
    const rows = activities
      .slice(from, from + atOnce)
      .map((each) => sql`(${instanceId}, ${each.userId}, ${each.granularity}, ${each.bucketStart}, ${each.expiresAt})`);
    added.push(
      ...(await tx.all<
        Pick<Activity, "userId" | "granularity" | "bucketStart">
      >(sql`insert into active_users (instance_id,
          user_id, granularity, bucket_start, expires_at)
        values ${join(rows, ", ")} on conflict do nothing
        returning user_id as "userId", granularity, bucket_start as "bucketStart"`)),
    );
  }
  return added;
}

/** Whether an instance exists and is not being removed. */
export async function existsInstance(reader: Reader, instanceId: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "one" from instances
    where instance_id = ${instanceId} and state <> 'removed'`);
  return row !== undefined;
}

/** Lists those of the organizations that exist. */
export async function listExistingOrganizations(
  reader: Reader,
  instanceId: string,
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ organizationId: string }>(sql`select organization_id as "organizationId"
    from organizations where instance_id = ${instanceId} and organization_id in ${list(organizationIds)}`);
  return new Set(rows.map(({ organizationId }) => organizationId));
}

/** What counts of a user. */
export interface CountedUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly kind: "human" | "machine";
}

/** Lists those of the users that exist. */
export async function listCountedUsers(
  reader: Reader,
  instanceId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, CountedUser>> {
  const rows = await reader.all<CountedUser>(sql`select user_id as "userId", organization_id as "organizationId", kind
    from users where instance_id = ${instanceId} and user_id in ${list(userIds)}`);
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Lists the counts of an instance, or of one of its organizations, in buckets that begin in a range. */
export function listStatistics(
  reader: Reader,
  instanceId: string,
  wanted: {
    /** Empty for the whole instance. */
    readonly organizationId: string;
    readonly granularity: Granularity;
    readonly from: Instant;
    readonly to: Instant;
  },
): Promise<{ readonly bucketStart: Instant; readonly name: StatisticName; readonly amount: number }[]> {
  const { organizationId, granularity, from, to } = wanted;
  return reader.all(sql`select bucket_start as "bucketStart", name, amount from statistics
    where instance_id = ${instanceId} and organization_id = ${organizationId} and granularity = ${granularity}
      and bucket_start >= ${from} and bucket_start < ${to}`);
}

/** Step: deletes the counts of an organization that is deleted. */
export function deleteStatisticsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and organization_id = ${organizationId}`;
  return deleteAll(tx, { table: text("statistics"), where });
}

/** Step: deletes when users who are deleted were active. */
export function deleteActivitiesOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("active_users"), where });
}

/** Deletes what was counted for organizations and users of an instance while they were being deleted. */
export async function deleteLeftovers(
  tx: Tx,
  instanceId: string,
  { organizationIds, userIds }: { readonly organizationIds: readonly string[]; readonly userIds: readonly string[] },
): Promise<void> {
  if (organizationIds.length > 0) {
    await tx.run(sql`delete from statistics
      where instance_id = ${instanceId} and organization_id in ${list(organizationIds)}`);
  }
  if (userIds.length > 0) {
    await tx.run(sql`delete from active_users where instance_id = ${instanceId} and user_id in ${list(userIds)}`);
  }
}

/** Counts in buckets of a length that began before the instant. */
export const formerStatistics =
  (granularity: Granularity) =>
  (before: number): EndedRows => ({
    table: text("statistics"),
    where: () => sql`granularity = ${granularity} and bucket_start < ${before}`,
  });

/** Users of days and months in which nothing is counted any longer. */
export const expiredActivities = (before: number): EndedRows => ({
  table: text("active_users"),
  where: () => sql`expires_at < ${before}`,
});
