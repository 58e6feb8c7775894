import type { ScriptOwner } from "./script-owner.ts";
import { createTurns, type Times } from "./turns.ts";

/** The turns of one run, which computes only while it has one. A run that waits for an answer has none. */
export interface ComputingTurn {
  /** Resolves when the run may compute. Rejects with QueueFull when it waited for that many milliseconds. */
  enter(longestWait: number): Promise<void>;
  leave(): void;
  /** Leaves, and takes no more turns. */
  end(): void;
}

export interface ComputingTurns {
  /** `displace` ends the run: its organization computed more than others, who wait. */
  begin(whose: ScriptOwner, displace: () => void): ComputingTurn;
}

/** A run of an organization that computed little lately computes for as long as any run may. */
const times: Times = { patience: 100, memory: 10_000, shortest: 1_000, ahead: 2_000, crowd: 8 };

/**
 * Creates the turns of a process: at most so many scripts compute at a time, one of an organization, and never all of
 * them of one instance.
 */
export function createComputingTurns(permits: number, clock = () => performance.now()): ComputingTurns {
  const turns = createTurns({ room: { permits, shares: [Math.max(1, permits - 1), 1] }, times, clock });
  return {
    begin: (whose, displace) => {
      let leave = (): void => {};
      let isOver = false;
      return {
        enter: async (longestWait) => {
          const turn = await turns.take(whose, longestWait);
          // The run has ended while it waited.
          if (isOver) return turn.leave();
          turn.begin(displace);
          leave = turn.leave;
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
