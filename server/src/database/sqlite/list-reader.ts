import { Worker } from "node:worker_threads";
import { seconds } from "../../base/clock.ts";
import { createSemaphore } from "../../base/semaphore.ts";
import { DatabaseUnavailable } from "../database.ts";
import { longestRead, type ReadApart, tooSlow } from "../long-reads.ts";
import type { Sql } from "../sql.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

// A thread that nothing was asked of for so long is ended, and with it its memory.
const longestIdle = seconds(30);

interface Answer {
  readonly rows?: unknown[];
  readonly milliseconds: number;
  readonly error?: { readonly message: string; readonly isUnavailable: boolean };
}

/**
 * Reads lists of many rows in a thread with a connection of its own, so that the event loop never waits for them. The
 * thread is started on first use and ended when it is idle. Answers are given once everything committed before them is
 * on the disk, like those of the snapshot.
 */
export class ListReader {
  readonly #file: string;
  readonly #snapshot: SnapshotReader;
  readonly #longest: number;
  // One statement at a time, so that the time of each begins when it is read.
  readonly #turns = createSemaphore({ permits: 1, queueLimit: Number.POSITIVE_INFINITY });
  #worker: Worker | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #answered: PromiseWithResolvers<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(file: string, snapshot: SnapshotReader, longest = longestRead) {
    this.#longest = longest;
    this.#file = file;
    this.#snapshot = snapshot;
  }

  readonly read: ReadApart = async (statement) => {
    const { rows = [], milliseconds, error } = await this.#turns.run(() => this.#ask(statement));
    if (error?.isUnavailable === true) throw new DatabaseUnavailable(error.message);
    if (error !== undefined) throw new Error(error.message);
    await this.#snapshot.settled();
    return { rows, milliseconds };
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(closed());
  }

  async #ask(statement: Sql): Promise<Answer> {
    if (this.#isClosed) throw closed();
    clearTimeout(this.#idle);
    const answered = Promise.withResolvers<Answer>();
    this.#answered = answered;
    // A statement cannot be interrupted, so its thread is ended.
    const timer = setTimeout(() => void this.#end(tooSlow()), this.#longest);
    try {
      return await Promise.race([answered.promise, this.#ended.then(() => this.#send(statement, answered))]);
    } finally {
      clearTimeout(timer);
      this.#answered = undefined;
      this.#rest();
    }
  }

  /** Sends a statement, unless it was given up while the thread of before did not end yet. There is never a second. */
  #send({ shape, values }: Sql, answered: PromiseWithResolvers<Answer>): Promise<Answer> {
    if (this.#answered === answered && !this.#isClosed) {
      const worker = this.#worker ?? this.#start();
      // The program may end while the thread is idle, but not while a caller waits for it.
      worker.ref();
      worker.postMessage({ text: shape.sqlite, values });
    }
    return answered.promise;
  }

  #rest(): void {
    if (this.#isClosed) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.#end(closed()), longestIdle);
    this.#idle.unref();
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#answered?.reject(reason);
    if (worker !== undefined) this.#ended = worker.terminate();
    await this.#ended;
  }

  #start(): Worker {
    // The same file is TypeScript in the sources and JavaScript in the published package.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const url = new URL(`./list-reader.worker.${extension}`, import.meta.url);
    const worker = new Worker(url, { workerData: this.#file });
    worker.on("message", (answer: Answer) => this.#answered?.resolve(answer));
    worker.on("error", (cause) => {
      if (this.#worker !== worker) return;
      void this.#end(new DatabaseUnavailable("the database file: the thread that reads lists failed", { cause }));
    });
    this.#worker = worker;
    return worker;
  }
}

const closed = (): DatabaseUnavailable => new DatabaseUnavailable("the database is closed");
