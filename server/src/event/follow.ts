import { setTimeout as wait } from "node:timers/promises";
import { type Clock, seconds } from "../base/clock.ts";
import type { Call } from "../call/index.ts";
import type { Database, Tx, Warn } from "../database/index.ts";
import {
  type FeedCursor,
  type FeedEvent,
  feedStart,
  findCursor,
  insertCursor,
  listFeed,
  moveCursor,
} from "./feed.store.ts";

/** Work that is caused by events: sending a mail, calling a web hook. */
export interface Follower {
  /** Must never change: the follower's position in the feed is stored under it. */
  readonly name: string;
  /**
   * Handles events in the order of the feed, inside the transaction that moves the follower past them. What it writes
   * happens once, regardless of the number of nodes and of crashes. So it only records the work to be done (with each
   * event's own instance; `tx.instanceId` is empty) and waits for nothing else; other jobs do the work.
   */
  handle(tx: Tx, events: readonly FeedEvent[]): Promise<void>;
  /** Events before this position are skipped; none are by default. */
  readonly begin?: FeedCursor;
  /** Called after the commit, on the node that handled the events. */
  handled?(): void;
}

export interface FollowDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly warn: Warn;
}

const batchSize = 100;
const longestPause = seconds(30);
// Other nodes announce only events that matter to caches, and an event may wait for an older transaction to end.
const pollMilliseconds = seconds(1);

/** Follows the feed from the follower's position. The returned function stops it, after the running batch. */
export function follow(deps: FollowDeps, follower: Follower): () => Promise<void> {
  let isStopped = false;
  let wake: () => void = () => {};
  let isWoken = false;
  const onWake = (): void => {
    isWoken = true;
    wake();
  };
  const unsubscribe = deps.database.onCommitted({ committed: onWake, missed: onWake });

  const pause = (milliseconds: number | undefined): Promise<void> =>
    new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isWoken) wake();
    });

  const run = async (): Promise<void> => {
    let hasBegun = false;
    for (let failures = 0; !isStopped; ) {
      isWoken = false;
      try {
        if (!hasBegun) await begin(deps, follower);
        hasBegun = true;
        const handled = await step(deps, follower, batchSize);
        failures = 0;
        if (handled === 0) await pause(deps.database.engine === "sqlite" ? undefined : pollMilliseconds);
      } catch (error) {
        deps.warn("a follower of the event feed failed; it tries again", { follower: follower.name, error });
        isWoken = isStopped;
        await pause(Math.min(longestPause, seconds(2 ** failures++)));
      }
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    unsubscribe();
    onWake();
    await running;
  };
}

/**
 * Handles what came since the last time, for work that may be some seconds late and is cheaper in larger batches.
 * Returns how many events there were.
 */
export async function followOnce(
  deps: Pick<FollowDeps, "database" | "clock">,
  follower: Follower,
  { size, signal }: { readonly size: number; readonly signal: AbortSignal },
): Promise<number> {
  await begin(deps, follower);
  let count = 0;
  while (!signal.aborted) {
    const started = performance.now();
    const handled = await step(deps, follower, size);
    count += handled;
    if (handled < size) break;
    // Waits as long as the batch took, so that this work never takes more than half of the writer's time.
    await wait(performance.now() - started);
  }
  return count;
}

/** Handles the next events, and returns how many there were. */
async function step(
  { database, clock }: Pick<FollowDeps, "database" | "clock">,
  follower: Follower,
  size: number,
): Promise<number> {
  const call = callOf(clock, follower);
  const from = (await findCursor(database.read, follower.name)) ?? feedStart;
  const events = await listFeed(database.read, from, size);
  const last = events.at(-1);
  if (last === undefined) return 0;
  await database.touch(call, async (tx) => {
    if (await moveCursor(tx, follower.name, from, last.cursor)) await follower.handle(tx, events);
  });
  follower.handled?.();
  return events.length;
}

/** Inserts the follower's cursor, or moves it forward to where the follower wants to begin. */
async function begin({ database, clock }: Pick<FollowDeps, "database" | "clock">, follower: Follower): Promise<void> {
  const { name, begin: wanted = feedStart } = follower;
  const from = await findCursor(database.read, name);
  if (from !== undefined && !isBefore(from, wanted)) return;
  await database.touch(callOf(clock, follower), async (tx) => {
    if (from === undefined) await insertCursor(tx, name, wanted);
    else await moveCursor(tx, name, from, wanted);
  });
}

function isBefore(cursor: FeedCursor, other: FeedCursor): boolean {
  const [left, right] = [BigInt(cursor.transactionId), BigInt(other.transactionId)];
  return left === right ? cursor.position < other.position : left < right;
}

const callOf = (clock: Clock, { name }: Follower): Call => ({
  instanceId: "",
  requestId: `follower ${name}`,
  now: clock(),
  language: "en",
});
