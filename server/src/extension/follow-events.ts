import type { Clock } from "../base/clock.ts";
import type { Database, Warn } from "../database/index.ts";
import { findFirstEventExecution, queueEvents } from "../domain/action/index.ts";
import { follow } from "../event/index.ts";

export interface FollowEventsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly warn: Warn;
  /** Called when something was queued. */
  readonly wake: () => void;
}

/** Queues events for the targets that listen to them. */
export interface EventFollowing {
  /** Follows the feed if any instance listens, and stops otherwise. */
  check(): Promise<void>;
  /** Checks the executions whenever one is set; ends with `stop`. */
  start(): void;
  stop(): Promise<void>;
}

const followerName = "actions";

/**
 * Creates the follower of the feed. It runs only while an instance has an execution for events: following costs a write
 * for every hundred events, and most installations have no such execution. It begins where the oldest of the executions
 * was set, and skips earlier events.
 */
export function createEventFollowing(deps: FollowEventsDeps): EventFollowing {
  const { database } = deps;
  let stopFollowing: (() => Promise<void>) | undefined;
  let checking: Promise<void> = Promise.resolve();
  let isStopped = false;
  let unsubscribe = (): void => {};

  const look = async (): Promise<void> => {
    if (isStopped) return;
    const first = await findFirstEventExecution(database.read);
    if (first === undefined) {
      const stop = stopFollowing;
      stopFollowing = undefined;
      await stop?.();
      return;
    }
    stopFollowing ??= follow(deps, {
      name: followerName,
      begin: first,
      handle: queueEvents,
      handled: deps.wake,
    });
  };
  const check = (): Promise<void> => {
    checking = checking.then(look).catch((error: unknown) => {
      deps.warn("the executions for events could not be read", { error });
    });
    return checking;
  };
  return {
    check,
    start: () => {
      unsubscribe = database.onCommitted({
        committed: ({ aggregateType }) => {
          if (aggregateType === "execution") void check();
        },
        missed: () => void check(),
      });
      void check();
    },
    stop: async () => {
      isStopped = true;
      unsubscribe();
      await checking;
      await stopFollowing?.();
    },
  };
}
