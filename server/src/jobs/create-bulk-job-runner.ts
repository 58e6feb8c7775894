import { setTimeout as wait } from "node:timers/promises";
import { payAsProcess, payerOf, payFor } from "../base/budget/payer.ts";
import { type Clock, seconds } from "../base/clock.ts";
import type { IdGenerator } from "../base/id.ts";
import type { Call, Caller, Presented } from "../call/index.ts";
import { type Database, DatabaseUnavailable, TrialSucceeded, UniqueViolation } from "../database/index.ts";
import {
  type BulkJob,
  type BulkJobRow,
  claimJob,
  companionOf,
  type DueJob,
  endJob,
  findJob,
  isUserOf,
  listDueJobs,
  listPendingRows,
  loadCreator,
  longestJob,
  type RecallCreator,
  RowSettled,
  releaseJob,
  settleRow,
} from "../domain/bulk-job/index.ts";
import type { FindInstanceById } from "../domain/instance/index.ts";
import type { PerformRow } from "../rpc/index.ts";
import type { Counts } from "./job.ts";

export interface BulkJobRunnerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly findInstanceById: FindInstanceById;
  readonly performRow: PerformRow;
  readonly recall: RecallCreator;
  readonly texts: {
    translate(language: Call["language"], key: string): string;
  };
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** Works on bulk jobs. */
export interface BulkJobRunner {
  /** Starts with what is due, without waiting for it. */
  wake(): void;
  /** Does what is due; resolves when nothing due is left. */
  run(): Promise<Counts>;
  /** Ends after the current rows; another node, or a later process, goes on. */
  stop(): Promise<void>;
}

// Rows of one turn, and how long a turn may take: a target may need seconds for each.
const rowsOfTurn = 25;
const longestTurn = seconds(5);
// Turns that begin side by side, and as many as are worked on at a time; of one instance there are never more than two.
const jobsAtOnce = 8;
const mostActive = 16;
const jobsOfInstance = 2;
// Milliseconds after which others no longer wait for a turn. One that takes longer than a few of these waits for the
// answers of targets, and takes up nothing that others need: there may be more of those.
const round = 500;
const slow = 3 * round;
const mostSlow = 128;
// Jobs that are looked at for a round, and of one instance. Some of these may be idle, or have their turn.
const mostDue = 200;
const dueOfInstance = 8;
// Milliseconds after which a turn is tried again that had no effect.
const idleFor = 2000;
// A database that does not answer is asked again after so long.
const pause = seconds(30);

/** Creates what works on the jobs of all instances, on this node: each has a turn of some rows, then the next ones. */
export function createBulkJobRunner(deps: BulkJobRunnerDeps): BulkJobRunner {
  const node = deps.newId();
  const stopping = new AbortController();
  let counts = { rows: 0, jobs: 0 };
  let running: Promise<void> | undefined;
  let isWoken = false;

  const active = new Map<string, ActiveTurn>();
  // Until when a job has no turn, because it just had one to no effect.
  const idle = new Map<string, number>();
  const behind = createRowsBehind();

  const begin = (job: DueJob, finished: (turn: Turn) => void): void => {
    const turn = haveTurn({ ...deps, behind }, node, job, stopping.signal)
      .catch((error: unknown) => {
        deps.report(error, "bulk jobs");
        return noTurn;
      })
      .then((result) => {
        active.delete(job.jobId);
        finished(result);
      });
    active.set(job.jobId, { job, turn, begunAt: performance.now() });
  };
  const drain = async (): Promise<void> => {
    do {
      isWoken = false;
      idle.clear();
      while (!stopping.signal.aborted) {
        const started = performance.now();
        const search = { node, now: deps.clock(), ofInstance: dueOfInstance, limit: mostDue };
        const due = await listDueJobs(deps.database.read, search);
        for (const job of chooseJobs(due, { active, idle })) {
          begin(job, ({ rows, isOver }) => {
            counts = { rows: counts.rows + rows, jobs: counts.jobs + (isOver ? 1 : 0) };
            if (rows === 0 && !isOver) idle.set(job.jobId, performance.now() + idleFor);
          });
        }
        if (active.size === 0) break;
        await Promise.race([
          Promise.all([...active.values()].map(({ turn }) => turn)),
          wait(round, undefined, { ref: false }),
        ]);
        // So that this work never takes more than half of the writer's time.
        await wait(Math.min(round, performance.now() - started));
      }
      await Promise.all([...active.values()].map(({ turn }) => turn));
    } while (isWoken && !stopping.signal.aborted);
  };
  const start = (): Promise<void> => {
    isWoken = true;
    running ??= payAsProcess(drain).finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    wake: () => void start().catch((error: unknown) => deps.report(error, "bulk jobs")),
    run: async () => {
      await start();
      const done = counts;
      counts = { rows: 0, jobs: 0 };
      return done;
    },
    stop: async () => {
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}

/** A turn that has not ended. */
interface ActiveTurn {
  readonly job: DueJob;
  readonly turn: Promise<void>;
  readonly begunAt: number;
}

/** Chooses the jobs that have a turn beside those that have one: of each organization one, of each instance few. */
function chooseJobs(
  due: readonly DueJob[],
  { active, idle }: { readonly active: ReadonlyMap<string, ActiveTurn>; readonly idle: ReadonlyMap<string, number> },
): DueJob[] {
  const organizationOf = ({ instanceId, organizationId }: DueJob): string => `${instanceId} ${organizationId}`;
  const now = performance.now();
  const running = [...active.values()].map(({ job }) => job);
  const quick = [...active.values()].filter(({ begunAt }) => now - begunAt < slow).length;
  const free = Math.min(jobsAtOnce, mostActive - quick, mostSlow - running.length);
  const organizations = new Set(running.map(organizationOf));
  const instances = new Map<string, number>();
  for (const { instanceId } of running) instances.set(instanceId, (instances.get(instanceId) ?? 0) + 1);
  const chosen: DueJob[] = [];
  for (const job of due) {
    const organization = organizationOf(job);
    const count = instances.get(job.instanceId) ?? 0;
    const isIdle = (idle.get(job.jobId) ?? now) > now;
    if (chosen.length >= free || count === jobsOfInstance || organizations.has(organization) || isIdle) continue;
    organizations.add(organization);
    instances.set(job.instanceId, count + 1);
    chosen.push(job);
  }
  return chosen;
}

interface Turn {
  readonly rows: number;
  readonly isOver: boolean;
}

const noTurn: Turn = { rows: 0, isOver: false };

/** Behind which row jobs go on that the database refused to handle. Those before it are tried again at the end. */
interface RowsBehind {
  of(jobId: string): number;
  set(jobId: string, position: number): void;
}

function createRowsBehind(): RowsBehind {
  const positions = new Map<string, number>();
  return {
    of: (jobId) => positions.get(jobId) ?? 0,
    set: (jobId, position) => {
      positions.delete(jobId);
      if (position === 0) return;
      positions.set(jobId, position);
      const oldest = positions.keys().next().value;
      if (positions.size > mostDue && oldest !== undefined) positions.delete(oldest);
    },
  };
}

type TurnDeps = BulkJobRunnerDeps & { readonly behind: RowsBehind };

async function haveTurn(deps: TurnDeps, node: string, due: DueJob, signal: AbortSignal): Promise<Turn> {
  const { instanceId, jobId } = due;
  const instance = await deps.findInstanceById(instanceId);
  if (instance === undefined || instance.isBlocked) return noTurn;
  const callOf = (): Call => ({ instanceId, requestId: "bulk jobs", now: deps.clock(), language: "en" });
  let until = 0;
  try {
    if (!(await deps.database.touch(callOf(), (tx) => claimJob(tx, { jobId, node })))) return noTurn;
    return await payFor(payerOf(instanceId, "bulk jobs"), () => doRows(deps, callOf, jobId, signal));
  } catch (error) {
    // Another job of the organization runs.
    if (error instanceof UniqueViolation) return noTurn;
    if (!(error instanceof DatabaseUnavailable)) deps.report(error, "bulk jobs");
    until = deps.clock() + pause;
    return noTurn;
  } finally {
    if (signal.aborted || until > 0) {
      await deps.database.touch(callOf(), (tx) => releaseJob(tx, { jobId, node, until })).catch(() => undefined);
    }
  }
}

async function doRows(deps: TurnDeps, callOf: () => Call, jobId: string, signal: AbortSignal): Promise<Turn> {
  const started = performance.now();
  const { database, behind } = deps;
  const { instanceId } = callOf();
  const job = await findJob(database.read, instanceId, jobId);
  if (job === undefined) return noTurn;
  const end = (state: "completed" | "stopped", reason?: string): Promise<void> =>
    database.change(callOf(), (tx) => endJob(tx, { jobId, state, ...(reason !== undefined && { reason }) }));
  const listPending = (position: number): Promise<BulkJobRow[]> =>
    listPendingRows(database.read, instanceId, { jobId, after: position, limit: rowsOfTurn });
  let after = behind.of(jobId);
  let pending = await listPending(after);
  if (pending.length === 0 && after > 0) {
    after = 0;
    pending = await listPending(after);
  }
  let rows = 0;
  for (const row of pending) {
    if (signal.aborted || performance.now() - started > longestTurn) return { rows, isOver: false };
    try {
      await doRow(deps, callOf(), job, row);
      rows++;
    } catch (error) {
      if (error instanceof JobStops) {
        await end("stopped", error.reason);
        return { rows, isOver: true };
      }
      // It was canceled, or another node was faster.
      if (error instanceof RowSettled) return { rows, isOver: true };
      behind.set(jobId, row.position);
      throw error;
    }
  }
  if (pending.length === rowsOfTurn) return { rows, isOver: false };
  behind.set(jobId, 0);
  if (after > 0) return { rows, isOver: false };
  await end("completed");
  return { rows, isOver: true };
}

/** Thrown when a job may not go on. */
class JobStops extends Error {
  override readonly name = "JobStops";
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

const isOwn = (error: unknown): boolean =>
  error instanceof JobStops ||
  error instanceof RowSettled ||
  error instanceof TrialSucceeded ||
  error instanceof DatabaseUnavailable;

async function doRow(deps: BulkJobRunnerDeps, of: Call, job: BulkJob, row: BulkJobRow): Promise<void> {
  const attempt = deps.newId();
  const call: Call = { ...of, requestId: attempt, language: job.creator.language };
  const identify = async (at: Call): Promise<Presented<Caller>> => {
    if (at.now >= job.createdAt + longestJob) throw new JobStops("job.too_long");
    const creator = await loadCreator(deps, at, job);
    if (typeof creator === "string") throw new JobStops(creator);
    return creator;
  };
  const { organizationId, jobId } = job;
  const { position, userId } = row;
  const settled = { jobId, position, attempt };
  const fail = (error: { readonly id: string; readonly message: string }): Promise<void> =>
    settleRow(deps, call, { ...settled, outcome: "failed", error: { id: error.id, message: error.message } });
  if (!(await isUserOf(deps.database.read, call.instanceId, { userId, organizationId }))) {
    await identify(call);
    const id = "user.not_found";
    return fail({ id, message: deps.texts.translate(call.language, `fault.${id}`) });
  }
  try {
    const companion = companionOf({ job, row, attempt });
    const refusal = await deps.performRow({
      call: { ...call, companion },
      action: job.action,
      userId,
      identify,
      isOwn,
    });
    if (refusal !== undefined) return await fail(refusal);
  } catch (error) {
    if (!(error instanceof TrialSucceeded)) throw error;
  }
  // Where the operation changed something, its unit of work has written this.
  await settleRow(deps, call, { ...settled, outcome: "succeeded" });
}
