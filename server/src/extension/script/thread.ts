import { AsyncLocalStorage } from "node:async_hooks";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import {
  type Answer,
  type FromThread,
  mostTenants,
  type Question,
  type RunFailure,
  type RunOutcome,
  type RunRequest,
} from "./protocol.ts";

/** Answers the questions of a script; what it throws is what the script catches. */
export type AnswerQuestion = (kind: string, argument: string, signal: AbortSignal) => Promise<string>;

interface Running {
  /** Since when the script runs; absent while the thread starts. */
  since?: number;
  readonly answer: AnswerQuestion;
  readonly ended: AbortController;
  readonly finish: (outcome: RunOutcome) => void;
}

// What a thread needs to end a run by itself and to say so.
const grace = 500;

/** A thread that runs one script at a time. It can be ended at any moment, whatever its script does. */
export class ScriptThread {
  readonly #worker: Worker;
  readonly #answers: MessagePort;
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  /** Resolves when the thread has started, or ended instead. */
  readonly ready: Promise<void>;
  readonly #end = Promise.withResolvers<void>();
  #running: Running | undefined;
  /** Whose scripts it ran last, the most recent one last. */
  readonly tenants = new Set<string>();
  #failure: RunFailure | undefined;

  constructor(wasmModule: object) {
    // The same file is TypeScript in the sources and JavaScript in the published package.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const { port1, port2 } = new MessageChannel();
    this.#answers = port1;
    this.#worker = new Worker(new URL(`./script.worker.${extension}`, import.meta.url), {
      workerData: { wasmModule, signal: this.#signal, answers: port2 },
      transferList: [port2],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#worker.on("message", (message: FromThread) => {
      if (message === "ready") {
        this.#rest();
        resolve();
      } else if ("question" in message) void this.#answer(message.question);
      else this.#finish(message.outcome);
    });
    const lost = (): void => {
      resolve();
      this.end("broken");
    };
    this.#worker.once("error", lost);
    this.#worker.once("exit", lost);
  }

  /** Runs a script. The thread must be idle. */
  async run(request: RunRequest, answer: AnswerQuestion): Promise<RunOutcome> {
    const { promise, resolve: finish } = Promise.withResolvers<RunOutcome>();
    // What a script asks is asked on the account of its request, not of the one that the thread was started for.
    const asRequest = AsyncLocalStorage.snapshot();
    const answerAsRequest: AnswerQuestion = (...question) => asRequest(() => answer(...question));
    this.#running = { answer: answerAsRequest, ended: new AbortController(), finish };
    const running = this.#running;
    this.#remember(request.tenant);
    this.#worker.ref();
    await this.ready;
    // It could not be started, or was ended meanwhile.
    if (this.#failure !== undefined) return { failure: this.#failure, logs: [], milliseconds: 0 };
    // The interpreter looks at the time only between some of its steps.
    const timer = setTimeout(() => this.end("timeout"), request.timeout + grace);
    running.since = performance.now();
    this.#worker.postMessage(request);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#rest();
    }
  }

  get isEnded(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when the thread has ended. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Ends the thread, and the run with this failure. */
  end(failure: RunFailure): void {
    if (this.isEnded) return;
    this.#failure = failure;
    this.#end.resolve();
    const since = this.#running?.since;
    const milliseconds = since === undefined ? 0 : performance.now() - since;
    this.#finish({ failure, logs: [], milliseconds });
    this.#answers.close();
    void this.#worker.terminate();
  }

  #remember(tenant: string): void {
    this.tenants.delete(tenant);
    this.tenants.add(tenant);
    const [oldest = ""] = this.tenants;
    if (this.tenants.size > mostTenants) this.tenants.delete(oldest);
  }

  #finish(outcome: RunOutcome): void {
    const running = this.#running;
    this.#running = undefined;
    running?.ended.abort();
    running?.finish(outcome);
  }

  #rest(): void {
    this.#worker.unref();
    this.#answers.unref();
  }

  async #answer({ id, kind, argument }: Question): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    let answer: Answer;
    try {
      answer = { id, value: await running.answer(kind, argument, running.ended.signal) };
    } catch (error) {
      answer = { id, error: error instanceof Error ? error.message : "failed" };
    }
    if (this.#running !== running) return;
    this.#answers.postMessage(answer);
    Atomics.store(this.#signal, 0, 1);
    Atomics.notify(this.#signal, 0);
  }
}
