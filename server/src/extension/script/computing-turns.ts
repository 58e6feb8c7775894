import { createFairTurns } from "../../base/budget/fair-turns.ts";
import { blockingRuns, type Room } from "./blocking-runs.ts";
import type { ScriptOwner } from "./script-owner.ts";

/** The turns of one run, which computes only while it has one. A run that waits for an answer has none. */
export interface ComputingTurn {
  /** Resolves when the run may compute. Rejects with QueueFull when it waited for that many milliseconds. */
  enter(longestWait: number): Promise<void>;
  leave(): void;
  /** Leaves, and takes no more turns. */
  end(): void;
}

export interface ComputingTurns {
  /** `displace` ends the run: it has had its share, and others wait. */
  begin(whose: ScriptOwner, displace: () => void): ComputingTurn;
}

/** How long others wait before a run is ended, and how long that one has computed without a pause by then. */
const patience = 100;
const quantum = 1_000;

interface Computing {
  readonly whose: ScriptOwner;
  readonly displace: () => void;
  readonly since: number;
}

/**
 * Creates the turns of a process: at most so many scripts compute at a time, one of an organization, and never all of
 * them of one instance.
 */
export function createComputingTurns(permits: number): ComputingTurns {
  const room: Room = { permits, shares: [Math.max(1, permits - 1), 1] };
  const turns = createFairTurns({ ...room, queueLimits: [256, 64], queueLimit: 512 });
  const computing = new Set<Computing>();

  const makeRoom = (whose: ScriptOwner): void => {
    const now = performance.now();
    const [longest] = blockingRuns([...computing], whose, room)
      .filter(({ since }) => now - since > quantum)
      .sort((a, b) => a.since - b.since);
    longest?.displace();
  };

  const take = async (whose: ScriptOwner, longestWait: number): Promise<() => void> => {
    const taken = turns.take([whose.instanceId, whose.organizationId], longestWait);
    if (!(taken instanceof Promise)) return taken;
    const timer = setInterval(() => makeRoom(whose), patience);
    try {
      return await taken;
    } finally {
      clearInterval(timer);
    }
  };

  return {
    begin: (whose, displace) => {
      let leave = (): void => {};
      let isOver = false;
      return {
        enter: async (longestWait) => {
          const end = await take(whose, longestWait);
          // The run has ended while it waited.
          if (isOver) return end();
          const entry = { whose, displace, since: performance.now() };
          computing.add(entry);
          leave = () => {
            leave = () => {};
            computing.delete(entry);
            end();
          };
        },
        leave: () => leave(),
        end: () => {
          isOver = true;
          leave();
        },
      };
    },
  };
}
