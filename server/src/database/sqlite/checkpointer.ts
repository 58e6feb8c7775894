import { Worker } from "node:worker_threads";
import type { Warn } from "../database.ts";
import { sql } from "../sql.ts";
import type { Connection } from "./connection.ts";

/** How long the log may become, in frames of 4 KiB. */
export interface LogLimits {
  /** Above this the log is copied into the database while writers continue. */
  readonly copyAbove: number;
  /** Above this writers wait for the copy, because a log that grows while it is copied never restarts. */
  readonly waitAbove: number;
}

const defaultLimits: LogLimits = { copyAbove: 8_000, waitAbove: 32_000 };

const measure = sql`pragma wal_checkpoint(noop)`;

/**
 * Keeps the write-ahead log short. Copying it into the database file waits for the disk, so a thread with its own
 * connection does it. The thread is started on first use.
 */
export class Checkpointer {
  readonly #file: string;
  readonly #writer: Connection;
  readonly #warn: Warn;
  readonly #onDone: () => void;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  readonly #limits: LogLimits;
  #waitAbove: number;
  #passed: (error: string | undefined) => void = () => {};

  /** `onDone` runs after each pass, when readers should release their snapshot so that the log can restart. */
  constructor(
    file: string,
    writer: Connection,
    options: { readonly warn: Warn; readonly onDone: () => void; readonly limits?: LogLimits | undefined },
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#warn = options.warn;
    this.#onDone = options.onDone;
    this.#limits = options.limits ?? defaultLimits;
    this.#waitAbove = this.#limits.waitAbove;
  }

  /**
   * Called between two commits. Resolves when writers may continue; undefined when they may do so immediately, which is
   * nearly always.
   */
  afterCommit(): Promise<void> | undefined {
    const { log, copied } = this.#measure();
    const { copyAbove, waitAbove } = this.#limits;
    if (log - copied > copyAbove) this.#running ??= this.#pass();
    if (log < waitAbove) this.#waitAbove = waitAbove;
    return log > this.#waitAbove && copied < log ? this.#copyAll() : undefined;
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#worker?.terminate();
  }

  async #copyAll(): Promise<void> {
    // The first pass may have begun before the last commit; the second copies the rest.
    await this.#running;
    await this.#pass();
    const { log, copied } = this.#measure();
    // Another program reads an old state of the file, which keeps the log from restarting. Writers do not wait for it;
    // the log grows meanwhile.
    if (copied < log) this.#waitAbove = log + this.#limits.waitAbove;
  }

  #measure(): { log: number; copied: number } {
    const { log, checkpointed } = this.#writer.first(measure) as { log: number; checkpointed: number };
    return { log, copied: checkpointed };
  }

  async #pass(): Promise<void> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    // The program may end while the thread is idle, but not while writers wait for it.
    worker.ref();
    worker.postMessage("copy");
    const error = await new Promise<string | undefined>((resolve) => {
      this.#passed = resolve;
    });
    worker.unref();
    if (error !== undefined) this.#warn("copying the write-ahead log failed", { error });
    this.#running = undefined;
    try {
      this.#onDone();
    } catch (reason) {
      this.#warn("releasing a snapshot failed", { error: reason });
    }
  }

  #start(): Worker {
    // The same file is TypeScript in the sources and JavaScript in the published package.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const worker = new Worker(new URL(`./checkpointer.worker.${extension}`, import.meta.url), {
      workerData: this.#file,
    });
    worker.on("message", ({ error }: { error?: string }) => this.#passed(error));
    worker.on("error", (error) => {
      this.#worker = undefined;
      this.#passed(error instanceof Error ? error.message : String(error));
    });
    return worker;
  }
}
