import { QueueFull } from "../../base/budget/semaphore.ts";
import {
  blockingRuns,
  countEach,
  countOf,
  hasMore,
  hasRoom,
  isOfInstance,
  isOfOrganization,
  type Owned,
  type Room,
} from "./blocking-runs.ts";
import type { ScriptOwner } from "./script-owner.ts";
import { createUsedTime, type UsedTime } from "./used-time.ts";

/** What a run has that others may wait for, until it leaves. */
export interface Turn {
  /** Names what ends the run when others need its turn; until then nothing does. */
  begin(displace: () => void): void;
  leave(): void;
}

export interface Turns {
  /** Rejects with QueueFull when no turn came in that many milliseconds, or too many wait already. */
  take(whose: ScriptOwner, longestWait: number): Promise<Turn>;
}

/** When a run is ended for another one, in milliseconds. */
export interface Times {
  /** How long the other one waits first. */
  readonly patience: number;
  /** How long use counts. */
  readonly memory: number;
  /** How long every run has its turn. */
  readonly shortest: number;
  /** How much more its organization has used lately than the one that waits. */
  readonly ahead: number;
  /** When more organizations of an instance wait, the last two are shorter in proportion, to a half and a fifth. */
  readonly crowd: number;
}

export interface TurnsOptions {
  readonly room: Room;
  readonly times: Times;
  /** A clock that is never set back. */
  readonly clock: () => number;
}

/** How many may wait. */
const most = { all: 512, ofInstance: 256, ofOrganization: 64 } as const;

const interval = 100;

interface Run extends Owned {
  /** Absent until it can be ended. */
  displace?: () => void;
  since: number;
  isEnding: boolean;
}

interface Waiter extends Owned {
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Creates turns that are divided by time. The next one goes to the instance, and in it to the organization, that had
 * the least of them lately. When none comes free, a run of those who had most is ended for others who had clearly less:
 * so no owner's runs keep another one waiting for long, and a run of an owner with few is not ended for those who
 * had as much.
 */
export function createTurns({ room, times, clock }: TurnsOptions): Turns {
  const used = createUsedTime(times.memory, clock);
  const runs = new Set<Run>();
  const queue = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  const start = (whose: ScriptOwner): Turn => {
    const run: Run = { whose, since: clock(), isEnding: false };
    runs.add(run);
    used.begin(whose);
    return {
      begin: (displace) => {
        run.displace = displace;
        run.since = clock();
      },
      leave: () => {
        if (!runs.delete(run)) return;
        used.end(whose);
        next();
      },
    };
  };
  const next = (): void => {
    const [first] = inOrder(
      [...queue].filter(({ whose }) => hasRoom(runs, whose, room)),
      used,
      runs,
    );
    first?.begin();
  };
  const makeRoom = (): void => {
    const run = runToEnd({ room, times, runs, queue, used }, clock());
    if (run?.displace === undefined) return;
    run.isEnding = true;
    run.displace();
  };

  return {
    take: async (whose, longestWait) => {
      if (hasRoom(runs, whose, room)) return start(whose);
      leaveSpace(queue, whose);
      timer ??= setInterval(makeRoom, interval);
      const { promise, resolve, reject } = Promise.withResolvers<Turn>();
      const end = (): void => {
        clearTimeout(longest);
        queue.delete(waiter);
        if (queue.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
      const refuse = (): void => {
        end();
        reject(new QueueFull("waited too long, or too many wait"));
      };
      const begin = (): void => {
        end();
        resolve(start(whose));
      };
      const waiter: Waiter = { whose, since: clock(), begin, refuse };
      const longest = setTimeout(refuse, longestWait);
      queue.add(waiter);
      return promise;
    },
  };
}

interface State {
  readonly room: Room;
  readonly times: Times;
  readonly runs: ReadonlySet<Run>;
  readonly queue: ReadonlySet<Waiter>;
  readonly used: UsedTime;
}

/** Chooses the run that ends for one that waits; none while another one is about to end. */
function runToEnd(state: State, now: number): Run | undefined {
  const { room, times, runs, queue, used } = state;
  if ([...runs].some(({ isEnding }) => isEnding)) return undefined;
  const easeOf = easeOfInstances(state);
  const waiting = [...queue].filter(({ since }) => now - since >= times.patience);
  for (const { whose } of inOrder(waiting, used, runs)) {
    const ease = easeOf(whose);
    const youngest = now - times.shortest * Math.max(ease, 1 / 2);
    const ahead = times.ahead * Math.max(ease, 1 / 5);
    const found = mostUsed(blockingRuns(runs, whose, room), used).find(
      (run) => run.displace !== undefined && run.since <= youngest && givesTurn(state, run, whose, ahead),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the owner of a run had so much more than one that waits, and has more. */
function givesTurn({ runs, used }: State, { whose: owner }: Run, whose: ScriptOwner, ahead: number): boolean {
  const isSameInstance = isOfInstance(owner, whose);
  const ofOrganization = used.ofOrganization(owner);
  const isAhead = isSameInstance
    ? ofOrganization >= used.ofOrganization(whose) + ahead
    : ofOrganization >= ahead && used.ofInstance(owner) >= used.ofInstance(whose) + ahead;
  if (!isAhead) return false;
  // Afterwards the one that waited has its first turn, or no more than the other one.
  const { instance, organization } = countOf(runs, whose);
  return (isSameInstance ? organization : instance) === 0 || hasMore(runs, owner, whose);
}

/** 1 in general; less where many organizations of the instance wait for runs of others. */
function easeOfInstances({ room, times, runs, queue }: State): (whose: ScriptOwner) => number {
  const [, mostOfOrganization] = room.shares;
  const others = [...queue].filter(({ whose }) => countOf(runs, whose).organization < mostOfOrganization);
  const organizations = Map.groupBy(countEach(others).keys(), ({ instanceId }) => instanceId);
  return ({ instanceId }) => Math.min(1, times.crowd / (organizations.get(instanceId)?.length ?? 1));
}

/** Those who had least come first, then those who have fewest, then those who came first. */
function inOrder(waiting: readonly Waiter[], used: UsedTime, runs: ReadonlySet<Owned>): Waiter[] {
  return waiting
    .map((waiter, index) => {
      const { whose } = waiter;
      const { instance, organization } = countOf(runs, whose);
      return { waiter, rank: [used.ofInstance(whose), instance, used.ofOrganization(whose), organization, index] };
    })
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ waiter }) => waiter);
}

const mostUsed = (runs: readonly Run[], used: UsedTime): Run[] =>
  runs
    .map((run) => ({ run, rank: [-used.ofInstance(run.whose), -used.ofOrganization(run.whose), run.since] }))
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ run }) => run);

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? value);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Makes sure that one more may wait: where too many do, the last one of those who have most in the queue goes. */
function leaveSpace(queue: ReadonlySet<Waiter>, whose: ScriptOwner): void {
  const { instance, organization } = countOf(queue, whose);
  const isInstanceFull = instance >= most.ofInstance;
  if (organization < most.ofOrganization && !isInstanceFull && queue.size < most.all) return;
  const counts = countEach(queue);
  const candidates = [...counts].filter(([owner]) => !isInstanceFull || isOfInstance(owner, whose));
  const [first] = candidates.sort(([, a], [, b]) => b.instance - a.instance || b.organization - a.organization);
  if (organization >= most.ofOrganization || first === undefined || !hasMore(queue, first[0], whose)) {
    throw new QueueFull("too many wait already");
  }
  const [longest] = first;
  [...queue].findLast((waiter) => isOfOrganization(waiter.whose, longest))?.refuse();
}
