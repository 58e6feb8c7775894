import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";
import { listStatistics as listRows } from "./statistic.store.ts";
import { bucketStart, type Granularity, keptFor, nextBucket, type StatisticName, statisticNames } from "./statistic.ts";

export interface StatisticSearch {
  /** Undefined for the whole instance. */
  readonly organizationId: string | undefined;
  readonly granularity: Granularity;
  /** The first bucket is the one that this is in. */
  readonly from: Instant;
  /** The last bucket begins before this. */
  readonly to: Instant;
  /** Everything when empty. */
  readonly names: readonly StatisticName[];
}

/** How often something happened. */
export interface StatisticSeries {
  readonly name: StatisticName;
  /** One for each bucket of the range, in their order. */
  readonly buckets: readonly { readonly start: Instant; readonly amount: number }[];
}

/** Lists how often things happened in an instance or organization, for callers who may read its users. */
export async function listStatistics(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, granularity, from, to, names }: StatisticSearch,
): Promise<StatisticSeries[]> {
  requirePermission(call, "user.read", organizationId === undefined ? {} : { organizationId });
  const starts = startsOf(granularity, { from, to, now: call.now });
  if (organizationId !== undefined) {
    const organization = await findOrganization(deps.database.read, call.instanceId, organizationId);
    if (organization === undefined) throw new Fault("not_found", "organization.not_found", { field: "organizationId" });
  }
  const [first = to] = starts;
  const range = { organizationId: organizationId ?? "", granularity, from: first, to };
  const rows = await listRows(deps.database.read, call.instanceId, range);
  const amounts = new Map(rows.map(({ name, bucketStart: start, amount }) => [`${name} ${start}`, amount]));
  const wanted = names.length === 0 ? statisticNames : names;
  return wanted
    .filter((name) => name !== "active_people" || granularity !== "hour")
    .map((name) => ({
      name,
      buckets: starts.map((start) => ({ start, amount: amounts.get(`${name} ${start}`) ?? 0 })),
    }));
}

// Neither what is no longer kept nor the future, so that a range has an end whatever is asked for.
function startsOf(granularity: Granularity, { from, to, now }: Record<"from" | "to" | "now", Instant>): Instant[] {
  const first = bucketStart(granularity, now - keptFor[granularity]);
  const starts = [];
  for (
    let start = bucketStart(granularity, Math.max(from, nextBucket(granularity, first)));
    start < to && start <= now;
    start = nextBucket(granularity, start)
  ) {
    starts.push(start);
  }
  return starts;
}
