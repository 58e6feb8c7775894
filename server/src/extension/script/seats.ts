import { createFairTurns } from "../../base/budget/fair-turns.ts";
import { blockingRuns, isOfInstance, isOfOrganization, type Room } from "./blocking-runs.ts";
import type { ScriptOwner } from "./script-owner.ts";

/** What a run has from its begin to its end, however it computes or waits. */
export interface Seat {
  /** Names what ends the run when others need the seat; until then nothing does. */
  begin(displace: () => void): void;
  leave(): void;
}

export interface Seats {
  /** Rejects with QueueFull when none came free in that many milliseconds, or too many wait already. */
  take(whose: ScriptOwner, longestWait: number): Promise<Seat>;
}

const queueLimits = [256, 64];

/** How long others wait before a run is ended, and how long that one has had its seat by then. */
const patience = 100;
const quantum = 1_000;

interface Seated {
  readonly whose: ScriptOwner;
  readonly displace: () => void;
  readonly since: number;
}

/**
 * Creates the seats of a process. The shares of some add up to more than there are, so no run has its seat for longer
 * than a moment while those wait who have none or fewer: the longest one of those who have most is ended for them.
 */
export function createSeats(room: Room): Seats {
  const turns = createFairTurns({ ...room, queueLimits, queueLimit: 512 });
  const taken = new Map<object, ScriptOwner>();
  const seated = new Map<object, Seated>();

  const makeRoom = (whose: ScriptOwner): void => {
    const owners = [...taken.values()];
    const ofInstance = (owner: ScriptOwner): number => owners.filter((each) => isOfInstance(each, owner)).length;
    const ofOrganization = (owner: ScriptOwner): number =>
      owners.filter((each) => isOfOrganization(each, owner)).length;
    // Afterwards those who waited have no more than those who gave way, or have their first seat.
    const isFair = (owner: ScriptOwner): boolean => {
      const count = isOfInstance(owner, whose) ? ofOrganization : ofInstance;
      return count(whose) === 0 || count(owner) >= count(whose) + 2;
    };
    const until = performance.now() - quantum;
    const runs = [...taken].map(([seat, owner]) => ({ seat, whose: owner, run: seated.get(seat) }));
    const [longest] = blockingRuns(runs, whose, room)
      .flatMap(({ seat, run }) => (run !== undefined && run.since < until ? [{ ...run, seat }] : []))
      .filter((run) => isFair(run.whose))
      .map((run) => ({ ...run, instance: ofInstance(run.whose), organization: ofOrganization(run.whose) }))
      .sort((a, b) => b.instance - a.instance || b.organization - a.organization || a.since - b.since);
    if (longest === undefined) return;
    seated.delete(longest.seat);
    longest.displace();
  };

  const wait = async (whose: ScriptOwner, longestWait: number): Promise<() => void> => {
    const turn = turns.take([whose.instanceId, whose.organizationId], longestWait);
    if (!(turn instanceof Promise)) return turn;
    const timer = setInterval(() => makeRoom(whose), patience);
    try {
      return await turn;
    } finally {
      clearInterval(timer);
    }
  };

  return {
    take: async (whose, longestWait) => {
      const end = await wait(whose, longestWait);
      const seat = {};
      taken.set(seat, whose);
      return {
        begin: (displace) => void seated.set(seat, { whose, displace, since: performance.now() }),
        leave: () => {
          seated.delete(seat);
          taken.delete(seat);
          end();
        },
      };
    },
  };
}
