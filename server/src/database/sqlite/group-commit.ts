import type { Call } from "../../call/index.ts";
import type { Confirmation } from "../confirmation.ts";
import { type CommittedEvent, DatabaseUnavailable, type Warn } from "../database.ts";
import { insertEvents } from "../events.store.ts";
import { announced } from "../listeners.ts";
import { sql } from "../sql.ts";
import { StallWatch } from "../stall-watch.ts";
import { type Kind, UnitOfWork, type Work } from "../unit-of-work.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { Connection } from "./connection.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";
import type { WalFile } from "./wal-file.ts";

// A batch ends at either limit, so that readers, sockets and timers get their turn.
const mostPerBatch = 256;
const longestBatchMilliseconds = 4;
// So many batches use savepoints after one that had to be repeated.
const carefulBatches = 32;

const begin = sql`begin immediate`;
const commit = sql`commit`;
const rollback = sql`rollback`;
const savepoint = sql`savepoint work`;
const release = sql`release work`;
const undo = sql`rollback to work`;
const countChanges = sql`select total_changes() as count`;

interface Job {
  readonly call: Call;
  readonly kind: Kind;
  readonly work: Work<unknown>;
  readonly confirmation?: Confirmation | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of a job, reported to its caller when the batch is on the disk. */
interface Settled {
  readonly job: Job;
  outcome: { readonly result: unknown; readonly unit: UnitOfWork } | { readonly error: unknown };
}

/** What a job resolves with, and is not performed, when its caller has to be confirmed before. */
const cameLate = Symbol("came late");

const notPerformed = { error: undefined };

type Perform = (job: Job) => Promise<Settled["outcome"]>;

export interface GroupCommitParts {
  readonly writer: Connection;
  readonly reader: SnapshotReader;
  readonly wal: WalFile;
  readonly checkpointer: Checkpointer;
  readonly warn: Warn;
  readonly committed: (events: readonly CommittedEvent[]) => void;
}

/** Thrown when a unit of work failed after it had written, without a savepoint. */
class Spoiled extends Error {
  override readonly name = "Spoiled";
}

/**
 * Runs units of work one after another, many in one transaction: a single commit and write to the disk serve all
 * waiting callers. A unit that fails rolls back only itself; a commit that fails rejects its whole batch.
 *
 * Rolling back one of many units needs a savepoint. A savepoint costs as much as the work itself, because SQLite copies
 * every page that is touched after it. Work that fails has nearly always written nothing, so a batch first runs without
 * savepoints. When a unit failed after it had written, the batch is rolled back and repeated with savepoints.
 */
export class GroupCommit {
  readonly #parts: GroupCommitParts;
  readonly #watch: StallWatch;
  #queue: Job[] = [];
  /** Jobs whose callers were confirmed. They come before the queue, in which they had their turn. */
  readonly #confirmed: Job[] = [];
  /** Jobs of the batch whose turn came late. */
  readonly #late: Job[] = [];
  #draining: Promise<void> | undefined;
  #broken: DatabaseUnavailable | undefined;
  #isClosed = false;
  /** Number of batches that still run with savepoints. */
  #careful = 0;

  constructor(parts: GroupCommitParts) {
    this.#parts = parts;
    this.#watch = new StallWatch(parts.warn);
  }

  /** `confirmation`: confirms the caller before a unit whose turn comes late. */
  async run<Result>(kind: Kind, call: Call, work: Work<Result>, confirmation?: Confirmation): Promise<Result> {
    const job = { kind, call, work };
    let result = await this.#enqueue({ ...job, confirmation }, this.#queue);
    if (result === cameLate) {
      await confirmation?.perform();
      // Once: were it late again on a busy machine, it would never be done.
      result = await this.#enqueue(job, this.#confirmed);
    }
    return result as Result;
  }

  #enqueue(job: Pick<Job, "kind" | "call" | "work" | "confirmation">, queue: Job[]): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#isClosed) throw new DatabaseUnavailable("the database is closed");
      if (this.#broken !== undefined) throw this.#broken;
      queue.push({ ...job, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Throws when writing is no longer possible. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Resolves when all queued work is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Work that is queued in the same turn of the event loop joins the batch.
    await turn();
    while (this.#queue.length + this.#confirmed.length > 0) {
      if (this.#confirmed.length > 0) this.#queue.unshift(...this.#confirmed.splice(0));
      await this.#batch();
      // After what came before them is stored, so that they are judged by it.
      for (const { resolve } of this.#late.splice(0)) resolve(cameLate);
      await this.#makeRoom();
      await turn();
    }
    this.#draining = undefined;
  }

  async #batch(): Promise<void> {
    const batch: Settled[] = [];
    try {
      if (this.#broken !== undefined) throw this.#broken;
      this.#parts.writer.execute(begin);
      await this.#performBatch(batch);
      const hasWritten = batch.some(hasWork);
      if (hasWritten) this.#parts.reader.hold();
      this.#parts.writer.execute(commit);
      if (hasWritten) await this.#makeDurable();
    } catch (error) {
      this.#rollBack();
      const lost = new DatabaseUnavailable("the commit failed", { cause: error });
      for (const { job } of batch) job.reject(lost);
      // When the transaction could not begin, or the disk failed before, waiting jobs would fail in the same way.
      if (batch.length === 0) for (const job of this.#queue.splice(0)) job.reject(lost);
      return;
    }
    this.#answer(batch);
  }

  /** Performs queued jobs inside the open transaction until the batch is full. */
  async #performBatch(batch: Settled[]): Promise<void> {
    if (this.#careful > 0) {
      this.#careful--;
      await this.#performSome(batch, this.#performAlone);
      return;
    }
    try {
      let changes = this.#countChanges();
      await this.#performSome(batch, async (job) => {
        const outcome = await this.#perform(job);
        if ("unit" in outcome) changes += outcome.unit.written + outcome.unit.events.length;
        else if (this.#parts.writer.database.isTransaction && this.#countChanges() !== changes) throw new Spoiled();
        return outcome;
      });
    } catch (error) {
      if (!(error instanceof Spoiled)) throw error;
      this.#careful = carefulBatches;
      this.#parts.writer.execute(rollback);
      this.#parts.writer.execute(begin);
      for (const entry of batch) await this.#settle(entry, this.#performAlone);
    }
  }

  async #performSome(batch: Settled[], perform: Perform): Promise<void> {
    const queue = this.#queue;
    const started = performance.now();
    let taken = 0;
    try {
      for (const job of queue) {
        if (batch.length >= mostPerBatch || performance.now() - started > longestBatchMilliseconds) break;
        taken++;
        if (job.confirmation?.isDue === true) {
          this.#late.push(job);
          continue;
        }
        const entry: Settled = { job, outcome: notPerformed };
        batch.push(entry);
        await this.#settle(entry, perform);
      }
    } finally {
      this.#queue = queue.slice(taken);
    }
  }

  async #settle(entry: Settled, perform: Perform): Promise<void> {
    entry.outcome = await perform(entry.job);
    // On a full or failing disk SQLite rolls back the whole transaction, not only the statement.
    if (!this.#parts.writer.database.isTransaction) {
      throw "error" in entry.outcome ? entry.outcome.error : new Error("the transaction is gone");
    }
  }

  readonly #performAlone: Perform = async (job) => {
    const { writer } = this.#parts;
    writer.execute(savepoint);
    const outcome = await this.#perform(job);
    if (writer.database.isTransaction) {
      if ("error" in outcome) writer.execute(undo);
      writer.execute(release);
    }
    return outcome;
  };

  async #perform(job: Job): Promise<Settled["outcome"]> {
    const { writer } = this.#parts;
    const unit = new UnitOfWork("sqlite", job.call, writer, this.#parts.reader.isStrict);
    try {
      const result = await this.#watch.during(unit, () => unit.perform(job.kind, job.work));
      for (const statement of insertEvents(unit, unit.events)) writer.execute(statement);
      return { result, unit };
    } catch (error) {
      return { error };
    }
  }

  /** Rows that the connection has changed since it was opened, by SQLite's count. */
  #countChanges(): number {
    return (this.#parts.writer.first(countChanges) as { count: number }).count;
  }

  async #makeDurable(): Promise<void> {
    try {
      await this.#parts.wal.sync();
      this.#parts.reader.renew();
    } catch (error) {
      // After a failed write to the disk its content is unknown, and a repeated sync may wrongly succeed. Only a
      // restart, which reads the log from the disk, gives certainty.
      this.#broken = new DatabaseUnavailable("the disk failed to store a commit; restart once it is repaired", {
        cause: error,
      });
      throw error;
    }
  }

  /** Starts copying the log when it is long, and waits for it when it is too long. */
  async #makeRoom(): Promise<void> {
    if (this.#broken !== undefined) return;
    try {
      const room = this.#parts.checkpointer.afterCommit();
      if (room !== undefined) await room;
    } catch (error) {
      this.#parts.warn("looking after the write-ahead log failed", { error });
    }
  }

  #rollBack(): void {
    try {
      if (this.#parts.writer.database.isTransaction) this.#parts.writer.execute(rollback);
      if (this.#broken === undefined) this.#parts.reader.renew();
    } catch (error) {
      this.#parts.warn("rolling back failed", { error });
    }
  }

  #answer(batch: readonly Settled[]): void {
    const committed = batch.flatMap(({ outcome }) => {
      if ("error" in outcome) return [];
      return announced(outcome.unit.instanceId, outcome.unit.events);
    });
    this.#parts.committed(committed);
    for (const { job, outcome } of batch) {
      if ("error" in outcome) job.reject(outcome.error);
      else job.resolve(outcome.result);
    }
  }
}

function hasWork({ outcome }: Settled): boolean {
  return "unit" in outcome && (outcome.unit.written > 0 || outcome.unit.events.length > 0);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
