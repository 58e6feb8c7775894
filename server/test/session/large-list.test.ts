import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reach } from "../../src/call/index.ts";
import { type Database, join, sql } from "../../src/database/index.ts";
import { hostedLogin } from "../../src/domain/session/session.ts";
import {
  listVisibleSessions,
  type SessionFilter,
  type SessionViewer,
} from "../../src/domain/session/session-list.store.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { explainingReader } from "../support/databases/explaining-reader.ts";
import { testCall } from "../support/operations/call.ts";

// More than are found and put in order (`planList`), so that both ways to read a list are walked.
const size = 6_000;
const perStatement = 200;
const instanceId = testCall().instanceId;

interface Entry {
  readonly id: string;
  readonly userId: string | undefined;
  readonly organizationId: string | undefined;
  readonly creatorId: string;
  readonly fingerprint: string | undefined;
  readonly isEnded: boolean;
}

/**
 * Nearly all are of the first organization and of the hosted login; every fifth was made by one login of others, some
 * have no user yet.
 */
function entryOf(number: number): Entry {
  const hasUser = number % 50 !== 0;
  return {
    id: `${100_000 + number}`,
    userId: hasUser ? `u${number % 1000}` : undefined,
    organizationId: hasUser ? `o${number % 60 === 1 ? 1 : 0}` : undefined,
    creatorId: number % 5 === 0 ? "login-client" : number % 333 === 1 ? "u7" : hostedLogin,
    fingerprint: number % 100 === 3 ? "agent" : number % 2 === 0 ? "" : undefined,
    isEnded: number % 11 === 0,
  };
}

const entries = Array.from({ length: size }, (_each, number) => entryOf(number));

async function fill(database: Database): Promise<void> {
  await database.touch(testCall(), async (tx) => {
    for (let first = 0; first < size; first += perStatement) {
      const rows = entries.slice(first, first + perStatement).map((entry, index) => {
        const at = first + index;
        return sql`(${instanceId}, ${entry.id}, ${entry.userId}, ${entry.organizationId}, ${entry.creatorId}, '{}', '{}', '{}',
          ${entry.fingerprint}, ${entry.isEnded ? at : null}, 1, ${at}, ${at})`;
      });
      tx.write(sql`insert into sessions (instance_id, session_id, user_id, organization_id, creator_id, factors, metadata, user_agent,
        user_agent_fingerprint, terminated_at, sequence, created_at, changed_at) values ${join(rows, ", ")}`);
    }
    // As a server of PostgreSQL does by itself after so many new rows.
    tx.write(sql`analyze sessions`);
  });
}

const nothing: Reach = { everywhere: false, organizationIds: [], projectIds: [], projectGrantIds: [] };
const everybody: SessionViewer = {
  userId: "owner",
  sessionId: undefined,
  reach: { ...nothing, everywhere: true },
  isLimited: false,
};
const viewer = (userId: string, organizationIds: readonly string[] = [], sessionId?: string): SessionViewer => ({
  userId,
  sessionId,
  reach: { ...nothing, organizationIds },
  isLimited: false,
});

type Holds = (entry: Entry) => boolean;

const viewers: readonly (readonly [SessionViewer, Holds])[] = [
  [everybody, () => true],
  [viewer("u7"), ({ userId, creatorId }) => userId === "u7" || creatorId === "u7"],
  [viewer("nobody"), () => false],
  [viewer("login-client"), ({ creatorId }) => creatorId === "login-client"],
  [viewer("admin", ["o1"]), ({ organizationId }) => organizationId === "o1"],
  [viewer("admin", ["o0", "o1"]), ({ organizationId }) => organizationId !== undefined],
  // Other sessions share the caller's fingerprint; an empty fingerprint matches no session.
  [viewer("nobody", [], "100003"), ({ fingerprint }) => fingerprint === "agent"],
  [viewer("nobody", [], "100002"), () => false],
];

const filters: readonly (readonly [SessionFilter, Holds])[] = [
  [{ by: "ids", ids: ["100001", "100002", "100004", "1"] }, ({ id }) => ["100001", "100002", "100004"].includes(id)],
  [{ by: "user", userId: "u7" }, ({ userId }) => userId === "u7"],
  [{ by: "creator", userId: "login-client" }, ({ creatorId }) => creatorId === "login-client"],
  [{ by: "creator", userId: "u7" }, ({ creatorId }) => creatorId === "u7"],
  [{ by: "creator", userId: hostedLogin }, ({ creatorId }) => creatorId === hostedLogin],
  [{ by: "userAgent", fingerprintId: "agent" }, ({ fingerprint }) => fingerprint === "agent"],
  [{ by: "createdAt", method: "greater", instant: 5_900 }, ({ id }) => Number(id) > 105_900],
];

eachEngine((open) => {
  test("a list of sessions that is too long to be put in order shows the same as one that is not", async (t) => {
    const database = await open(t);
    await fill(database);
    for (const [seenBy, isSeen] of viewers) {
      for (const [filter, holds] of [[undefined, () => true] as const, ...filters]) {
        const expected = entries.filter((entry) => !entry.isEnded && isSeen(entry) && holds(entry));
        for (const isDescending of [false, true]) {
          const inOrder = isDescending ? expected.toReversed() : expected;
          for (const offset of [0, Math.max(0, expected.length - 3)]) {
            const { rows, total } = await listVisibleSessions(database.read, instanceId, {
              viewer: seenBy,
              filters: filter === undefined ? [] : [filter],
              isDescending,
              page: { offset, limit: 5 },
            });
            const what = JSON.stringify([seenBy, filter, isDescending, offset]);
            assert.equal(total, expected.length, what);
            const shown = rows.map(({ session }) => session.sessionId);
            assert.deepEqual(
              shown,
              inOrder.slice(offset, offset + 5).map(({ id }) => id),
              what,
            );
          }
        }
      }
    }
  });

  test("a caller who may see few sessions never has all of them read", async (t) => {
    const database = await open(t);
    if (database.engine === "postgres") return t.diagnostic("PostgreSQL decides by what there is");
    await fill(database);
    const { reader, plans } = explainingReader(database);
    const isWhole = (step: string): boolean => /^(?:SCAN|SEARCH) sessions\b(?!.*\b(?:AND|session_id=))/.test(step);
    for (const [seenBy, isSeen] of viewers) {
      if (entries.filter(isSeen).length > 1000) continue;
      plans.length = 0;
      await listVisibleSessions(reader, instanceId, {
        viewer: seenBy,
        filters: [],
        isDescending: false,
        page: { offset: 0, limit: 5 },
      });
      assert.ok(plans.length > 0);
      assert.deepEqual(plans.filter(isWhole), [], JSON.stringify(seenBy));
    }
  });
});
