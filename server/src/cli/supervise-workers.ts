import cluster from "node:cluster";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../app/log.ts";
import { seconds } from "../base/clock.ts";
import { ReportedFailure } from "./reported-failure.ts";

export interface Supervision {
  readonly count: number;
  readonly log: Log;
  /** Called once all of them answer. */
  readonly announce: () => void;
}

// A worker finishes its running requests in at most 10 s.
const graceMilliseconds = seconds(12);
// A pause, because a worker that repeatedly fails to start must not occupy the machine.
const pauseMilliseconds = seconds(1);

/**
 * Keeps a number of processes that share the port: one that dies is replaced, and all stop together. The first starts
 * alone, so that the schema and the first instance exist before the others need them, and a failure is reported once.
 */
export async function superviseWorkers({ count, log, announce }: Supervision): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  await forkFirst(stopping.signal);
  cluster.on("exit", (worker, code, signal) => {
    if (stopping.signal.aborted) return;
    log.error({ processId: worker.process.pid, code, signal }, "a worker died; starting another");
    void sleep(pauseMilliseconds, undefined, { signal: stopping.signal }).then(fork, () => {});
  });
  const others = Array.from({ length: count - 1 }, () => once(fork(), "listening", { signal: stopping.signal }));
  await Promise.all(others).then(announce, ignoreAbort);
  if (!stopping.signal.aborted) await once(stopping.signal, "abort");
  await stopAll();
}

const fork = () => cluster.fork();

async function forkFirst(signal: AbortSignal): Promise<void> {
  const worker = fork();
  const ended = new AbortController();
  const died = once(worker, "exit", { signal: ended.signal }).then(([code]: (number | null)[]) => {
    // The worker has printed the reason on standard error.
    throw new ReportedFailure(code === 2 ? 2 : 1);
  });
  try {
    await Promise.race([once(worker, "listening", { signal }), died.catch(passFailure)]);
  } catch (error) {
    ignoreAbort(error);
  } finally {
    ended.abort();
  }
}

function passFailure(error: unknown): void {
  if (error instanceof ReportedFailure) throw error;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

async function stopAll(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
  const cut = setTimeout(() => {
    for (const worker of workers) worker.process.kill("SIGKILL");
  }, graceMilliseconds);
  await Promise.all(
    workers.map(async (worker) => {
      const ended = once(worker, "exit");
      worker.process.kill("SIGTERM");
      await ended;
    }),
  );
  clearTimeout(cut);
}
