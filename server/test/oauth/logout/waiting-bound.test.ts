import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, sql } from "../../../src/database/index.ts";
import { limitWaitingNotices } from "../../../src/domain/logout-notice/index.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { testCall } from "../../support/operations/call.ts";

interface Waiting {
  readonly organizationId: string;
  readonly isOfStranger?: boolean;
  /** Begins the ids of sessions. */
  readonly name: string;
  readonly attempts: number;
  readonly count: number;
}

/** Stores notices, each a millisecond younger than the one before. */
async function store(database: Database, waiting: Waiting): Promise<void> {
  const { organizationId, isOfStranger = false, name, attempts, count } = waiting;
  await database.touch(testCall(), async (tx) => {
    for (let index = 0; index < count; index++) {
      await tx.run(sql`insert into logout_notices (instance_id, session_id, client_id, user_id, owner_id, organization_id,
          is_of_stranger, attempts, next_attempt_at, created_at)
        values (${tx.instanceId}, ${`${name}-${index}`}, ${`client-${index % 3}`}, 'u', 'o', ${organizationId},
          ${isOfStranger}, ${attempts}, ${1000 + index}, ${1000 + index})`);
    }
  });
}

/** How many notices are left of each name. */
async function left({ read }: Database): Promise<Record<string, number>> {
  const rows = await read.all<{ sessionId: string }>(sql`select session_id as "sessionId" from logout_notices`);
  const counts: Record<string, number> = {};
  for (const { sessionId } of rows) {
    const [name = ""] = sessionId.split("-");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

eachEngine((open) => {
  test("beyond the bound of an organization notices that failed most are given up, and of these the oldest", async (t) => {
    const database = await open(t);
    const deps = { database, clock: () => 1_000_000 };
    const bounds = { own: 200, ofStrangers: 50 };
    await store(database, { organizationId: "large", name: "untried", attempts: 0, count: 180 });
    await store(database, { organizationId: "large", name: "failed", attempts: 2, count: 20 });
    await store(database, { organizationId: "other", name: "others", attempts: 4, count: 200 });
    await store(database, { organizationId: "large", isOfStranger: true, name: "strangers", attempts: 4, count: 50 });
    assert.equal(await limitWaitingNotices(deps, { bounds }), 0, "each has as many as it may");

    await store(database, { organizationId: "large", name: "last", attempts: 3, count: 10 });
    await store(database, { organizationId: "large", name: "later", attempts: 0, count: 125 });
    await store(database, { organizationId: "large", isOfStranger: true, name: "further", attempts: 1, count: 5 });
    assert.equal(await limitWaitingNotices(deps, { bounds }), 140);
    const rest = await left(database);
    assert.deepEqual([rest["last"], rest["failed"]], [undefined, undefined]);
    assert.equal((rest["untried"] ?? 0) + (rest["later"] ?? 0), 200);
    assert.deepEqual([rest["others"], rest["strangers"], rest["further"]], [200, 45, 5]);
    const oldest = await database.read.all<{ id: string }>(sql`select session_id as "id" from logout_notices
      where session_id in ('strangers-4', 'strangers-5', 'untried-0', 'untried-179') order by 1`);
    assert.deepEqual(
      oldest.map(({ id }) => id),
      ["strangers-5", "untried-179"],
    );
    const events = await database.read.all<{ payload: string }>(
      sql`select payload from events where type = 'logout_notice.failed'`,
    );
    assert.equal(events.length, 140);
    assert.ok(events.every(({ payload }) => payload.includes('"failure":"too_many"')));
    assert.equal(await limitWaitingNotices(deps, { bounds }), 0);
  });
});
