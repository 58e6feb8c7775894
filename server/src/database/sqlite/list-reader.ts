import { Worker } from "node:worker_threads";
import { createSemaphore } from "../../base/budget/semaphore.ts";
import { seconds } from "../../base/clock.ts";
import { DatabaseUnavailable } from "../database.ts";
import { longestRead, type ReadApart, tooSlow } from "../long-reads.ts";
import type { Sql } from "../sql.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

// A thread that nothing was asked of for so long is ended, and with it its memory.
const longestIdle = seconds(30);
// How long the start of a thread may take; usually 150 ms.
const longestStart = seconds(30);

interface Answer {
  /** Of the question. */
  readonly id: number;
  readonly rows?: unknown[];
  readonly milliseconds: number;
  readonly error?: { readonly message: string; readonly isUnavailable: boolean };
}

interface Question {
  readonly id: number;
  readonly answered: PromiseWithResolvers<Answer>;
  /** Gives it up. */
  timer: NodeJS.Timeout | undefined;
}

interface Thread {
  readonly worker: Worker;
  /** Resolves when it has its connection. */
  readonly isReady: Promise<void>;
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
  #thread: Thread | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #asked: Question | undefined;
  #count = 0;
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
    const question: Question = { id: ++this.#count, answered: Promise.withResolvers<Answer>(), timer: undefined };
    this.#asked = question;
    this.#giveUpAfter(question, longestStart);
    try {
      const sent = this.#ended.then(() => this.#send(statement, question));
      return await Promise.race([question.answered.promise, sent]);
    } finally {
      clearTimeout(question.timer);
      this.#asked = undefined;
      this.#rest();
    }
  }

  /** Sends a statement, unless it was given up while the thread of before did not end yet. There is never a second. */
  async #send({ shape, values }: Sql, question: Question): Promise<Answer> {
    const { id, answered } = question;
    if (this.#isAsked(question)) {
      const { worker, isReady } = this.#thread ?? this.#start();
      // The program may end while the thread is idle, but not while a caller waits for it.
      worker.ref();
      await isReady;
      if (this.#isAsked(question)) {
        // Its time begins now: that of the thread's start is not the statement's.
        this.#giveUpAfter(question, this.#longest);
        worker.postMessage({ id, text: shape.sqlite, values });
      }
    }
    return answered.promise;
  }

  #isAsked({ id }: Question): boolean {
    return this.#asked?.id === id && !this.#isClosed;
  }

  // A statement cannot be interrupted, so its thread is ended.
  #giveUpAfter(question: Question, milliseconds: number): void {
    clearTimeout(question.timer);
    question.timer = setTimeout(() => void this.#end(tooSlow()), milliseconds);
  }

  #rest(): void {
    if (this.#isClosed) return;
    this.#thread?.worker.unref();
    this.#idle = setTimeout(() => void this.#end(closed()), longestIdle);
    this.#idle.unref();
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#asked?.answered.reject(reason);
    if (thread !== undefined) this.#ended = thread.worker.terminate();
    await this.#ended;
  }

  #start(): Thread {
    // The same file is TypeScript in the sources and JavaScript in the published package.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const url = new URL(`./list-reader.worker.${extension}`, import.meta.url);
    const worker = new Worker(url, { workerData: this.#file });
    const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
    // An answer may come when its question was given up, and another caller's is being asked.
    worker.on("message", (answer: Answer | "ready") => {
      if (answer === "ready") ready();
      else if (this.#asked?.id === answer.id) this.#asked.answered.resolve(answer);
    });
    worker.on("error", (cause) => {
      if (this.#thread?.worker !== worker) return;
      void this.#end(new DatabaseUnavailable("the database file: the thread that reads lists failed", { cause }));
    });
    this.#thread = { worker, isReady };
    return this.#thread;
  }
}

const closed = (): DatabaseUnavailable => new DatabaseUnavailable("the database is closed");
