import { type Clock, seconds } from "../base/clock.ts";
import type { Call } from "../call/index.ts";
import type { Database, Tx, Warn } from "../database/index.ts";
import {
  type FeedEvent,
  type FeedPlace,
  feedStart,
  findCursor,
  insertCursor,
  listFeed,
  moveCursor,
} from "./feed.store.ts";

/** Something that happens because of events: a mail to be sent, a web hook to be called. */
export interface Follower {
  /** Never changes: the follower's place in the feed is kept under it. */
  readonly name: string;
  /**
   * Handles events in the order of the feed, inside the transaction that moves the follower past them: what it writes happens
   * once, however many nodes there are and whatever dies. So it writes down what is to be done (with each event's own
   * instance; `tx.instanceId` is empty) and waits for nothing else; others do it.
   */
  handle(tx: Tx, events: readonly FeedEvent[]): Promise<void>;
  /** What is before this place is passed over; everything is handled when not given. */
  readonly begin?: FeedPlace;
  /** Told when events were handled, after the commit, on the node that handled them. */
  handled?(): void;
}

export interface FollowDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly warn: Warn;
}

const batchSize = 100;
const longestPause = seconds(30);
// Other nodes tell only of events that matter to caches, and an event may wait for an older transaction to end.
const pollMilliseconds = seconds(1);

/** Follows the feed from where the follower was last. The returned function ends it, when what it handles is done. */
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
        const handled = await step(deps, follower);
        failures = 0;
        if (!handled) await pause(deps.database.engine === "sqlite" ? undefined : pollMilliseconds);
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

/** Handles the next events. False when there are none. */
async function step({ database, clock }: FollowDeps, follower: Follower): Promise<boolean> {
  const call = callOf(clock, follower);
  const from = (await findCursor(database.read, follower.name)) ?? feedStart;
  const events = await listFeed(database.read, from, batchSize);
  const last = events.at(-1);
  if (last === undefined) return false;
  await database.touch(call, async (tx) => {
    if (await moveCursor(tx, follower.name, from, last.place)) await follower.handle(tx, events);
  });
  follower.handled?.();
  return true;
}

/** Makes the follower's cursor, or moves it to where the follower wants to begin, if it is not there yet. */
async function begin({ database, clock }: FollowDeps, follower: Follower): Promise<void> {
  const { name, begin: wanted = feedStart } = follower;
  const from = await findCursor(database.read, name);
  if (from !== undefined && !isBefore(from, wanted)) return;
  await database.touch(callOf(clock, follower), async (tx) => {
    if (from === undefined) await insertCursor(tx, name, wanted);
    else await moveCursor(tx, name, from, wanted);
  });
}

function isBefore(place: FeedPlace, other: FeedPlace): boolean {
  const [left, right] = [BigInt(place.transactionId), BigInt(other.transactionId)];
  return left === right ? place.position < other.position : left < right;
}

const callOf = (clock: Clock, { name }: Follower): Call => ({
  ...{ instanceId: "", requestId: `follower ${name}`, now: clock(), language: "en" },
});
