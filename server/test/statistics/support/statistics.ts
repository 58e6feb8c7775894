import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { countEvents } from "../../../src/domain/statistics/index.ts";
import { eventually } from "../../oauth/support/back-channel.ts";
import type { RestOptions, TestServer } from "../../support/servers/server.ts";

export type Granularity = "HOUR" | "DAY" | "MONTH";

interface Series {
  readonly name: string;
  readonly buckets: readonly { readonly startDate: string; readonly count?: string }[];
}

/** Counts on the server what happened. On PostgreSQL events wait for older transactions, also of other databases. */
export async function countAll({ app: { domain } }: Pick<TestServer, "app">): Promise<void> {
  await eventually(async () => {
    await countEvents(domain, new AbortController().signal);
    const row = await domain.database.read.maybe<{ isDone: number }>(sql`select case when c.position =
        (select e.position from events e ${lastOf(domain.database.engine)} limit 1) then 1 else 0 end as "isDone"
      from feed_cursors c where c.follower = 'statistics'`);
    return row?.isDone === 1;
  }, "all events are counted");
}

const lastOf = (engine: "sqlite" | "postgres") =>
  engine === "sqlite" ? sql`order by e.position desc` : sql`order by e.transaction_id desc, e.position desc`;

/** Lists counts as the API has them. */
export async function listSeries(
  server: TestServer,
  request: object,
  options: RestOptions = {},
): Promise<readonly Series[]> {
  const { status, body } = await server.rest("POST", "/v2/statistics/search", { ...options, body: request });
  assert.equal(status, 200, JSON.stringify(body));
  return body.series ?? [];
}

/** Returns what happened in the instance or an organization, without what did not. */
export async function totals(
  server: TestServer,
  { granularity = "DAY", ...request }: { granularity?: Granularity; organizationId?: string } = {},
  options: RestOptions = {},
): Promise<Readonly<Record<string, number>>> {
  const asked = { granularity: `STATISTIC_GRANULARITY_${granularity}`, ...request };
  const sums = (await listSeries(server, asked, options)).map(({ name, buckets }): [string, number] => [
    name.replace("STATISTIC_NAME_", "").toLowerCase(),
    buckets.reduce((sum, { count = "0" }) => sum + Number(count), 0),
  ]);
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}

/** Returns by how much counts grew. */
export function growth(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = names.map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}
