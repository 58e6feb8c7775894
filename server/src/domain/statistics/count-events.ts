import { type Clock, days, type Instant } from "../../base/clock.ts";
import type { Database, Tx } from "../../database/index.ts";
import { type FeedEvent, followOnce } from "../../event/index.ts";
import { type Occurrence, occurrenceOf } from "./occurrence.ts";
import {
  type Activity,
  addActivities,
  addStatistics,
  type CountedUser,
  deleteLeftovers,
  existsInstance,
  listCountedUsers,
  listExistingOrganizations,
} from "./statistic.store.ts";
import { bucketStart, granularities, keptFor, nextBucket, type Statistic, type StatisticName } from "./statistic.ts";

// Measured: keeps SQLite's only writer for some milliseconds.
const eventsAtOnce = 500;

/**
 * Counts the events that came since the last time, in all instances, and returns how many there were. Any number of
 * nodes may do so at once: counts are written in the unit of work that moves the one cursor past their events.
 */
export function countEvents(
  deps: { readonly database: Database; readonly clock: Clock },
  signal: AbortSignal,
): Promise<number> {
  const follower = { name: "statistics", handle: (tx: Tx, events: readonly FeedEvent[]) => countBatch(tx, events) };
  return followOnce(deps, follower, { size: eventsAtOnce, signal });
}

async function countBatch(tx: Tx, events: readonly FeedEvent[]): Promise<void> {
  for (const [instanceId, ofInstance] of Map.groupBy(events, (event) => event.instanceId)) {
    await countInstance(tx, instanceId, ofInstance);
  }
}

type Dated = Occurrence & { readonly createdAt: Instant };

async function countInstance(tx: Tx, instanceId: string, events: readonly FeedEvent[]): Promise<void> {
  const occurrences = events.flatMap((event): Dated[] => {
    const occurrence = occurrenceOf(event);
    return occurrence === undefined ? [] : [{ ...occurrence, createdAt: event.createdAt }];
  });
  if (occurrences.length > 0 && (await existsInstance(tx, instanceId))) await add(tx, instanceId, occurrences);
  const deleted = (type: string): string[] =>
    events.filter((event) => event.type === type).map(({ aggregateId }) => aggregateId);
  // They existed when earlier events were counted, in a unit that may have ended after their deletion.
  const gone = { organizationIds: deleted("organization.deleted"), userIds: deleted("user.deleted") };
  await deleteLeftovers(tx, instanceId, gone);
}

async function add(tx: Tx, instanceId: string, occurrences: readonly Dated[]): Promise<void> {
  const ids = distinct(occurrences.map(({ userId }) => userId));
  const users = ids.length === 0 ? new Map<string, CountedUser>() : await listCountedUsers(tx, instanceId, ids);
  const ownerOf = ({ organizationId, userId = "" }: Dated): string | undefined =>
    organizationId ?? users.get(userId)?.organizationId;
  const owners = distinct(occurrences.map(ownerOf));
  const existing = owners.length === 0 ? new Set<string>() : await listExistingOrganizations(tx, instanceId, owners);
  const sums = new Sums();
  for (const occurrence of occurrences) {
    const { name, createdAt } = occurrence;
    if (name === undefined) continue;
    for (const granularity of granularities) {
      if (createdAt < tx.now - keptFor[granularity]) continue;
      sums.add(name, ownerOf(occurrence), { granularity, bucketStart: bucketStart(granularity, createdAt) });
    }
  }
  const activities = activitiesOf(occurrences, users, tx.now);
  for (const { userId, ...bucket } of await addActivities(tx, instanceId, activities)) {
    sums.add("active_people", users.get(userId)?.organizationId, bucket);
  }
  await addStatistics(tx, instanceId, sums.list(existing));
}

/** Returns in which days and months people were active. */
function activitiesOf(
  occurrences: readonly Dated[],
  users: ReadonlyMap<string, CountedUser>,
  now: Instant,
): Activity[] {
  const activities = new Map<string, Activity>();
  for (const { userId = "", isActivity, createdAt } of occurrences) {
    if (!isActivity || users.get(userId)?.kind !== "human") continue;
    for (const granularity of ["day", "month"] as const) {
      if (createdAt < now - keptFor[granularity]) continue;
      const start = bucketStart(granularity, createdAt);
      // Events come late where the feed was far behind, and then those of a day come together.
      const expiresAt = Math.max(nextBucket(granularity, start), now) + days(2);
      activities.set(`${userId} ${granularity} ${start}`, { userId, granularity, bucketStart: start, expiresAt });
    }
  }
  return [...activities.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const keyOf = ({ userId, granularity, bucketStart: start }: Activity): string => `${userId} ${granularity} ${start}`;

/** Adds up what is written of a batch. */
class Sums {
  readonly #sums = new Map<string, Statistic>();

  /** Counts for the instance, and for an organization. */
  add(
    name: StatisticName,
    organizationId: string | undefined,
    bucket: Pick<Statistic, "granularity" | "bucketStart">,
  ): void {
    const { granularity, bucketStart: start } = bucket;
    for (const owner of organizationId === undefined ? [""] : ["", organizationId]) {
      const key = `${owner} ${granularity} ${start} ${name}`;
      const amount = (this.#sums.get(key)?.amount ?? 0) + 1;
      this.#sums.set(key, { organizationId: owner, granularity, bucketStart: start, name, amount });
    }
  }

  /** Returns the sums of the instance and of those organizations, in an order. */
  list(organizationIds: ReadonlySet<string>): Statistic[] {
    return [...this.#sums]
      .filter(([, { organizationId }]) => organizationId === "" || organizationIds.has(organizationId))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, sum]) => sum);
  }
}

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];
