import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../app/log.ts";
import { seconds } from "../../base/clock.ts";
import type { OperationsAddress, OperationsListener } from "../../http/index.ts";
import { ReportedFailure } from "../reported-failure.ts";
import type { WorkerReports } from "./worker-reports.ts";

export interface Supervision {
  readonly count: number;
  readonly log: Log;
  /** Called once all of them answer. */
  readonly announce: () => void;
  /** Where the operations endpoints listen, for all workers together. */
  readonly operations: OperationsAddress | undefined;
}

// A worker finishes its running requests in at most 10 s.
const graceMilliseconds = seconds(12);
// A pause, because a worker that repeatedly fails to start must not occupy the machine.
const pauseMilliseconds = seconds(1);

/**
 * Keeps a number of processes that share the port: one that dies is replaced, and all stop together. The first starts
 * alone, so that the schema and the first instance exist before the others need them, and a failure is reported once.
 */
export async function superviseWorkers({ count, log, announce, operations }: Supervision): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  const opened = operations && (await openOperations(operations, count, log));
  try {
    await supervise({ count, log, announce, reports: opened?.reports, stopping });
  } finally {
    await opened?.listener?.close();
  }
}

// Loaded only when it is wanted: this process is to stay small.
async function openOperations(
  address: OperationsAddress,
  count: number,
  log: Log,
): Promise<{ readonly reports: WorkerReports; readonly listener: OperationsListener | undefined }> {
  const [{ listenForOperations }, { createWorkerReports }] = await Promise.all([
    import("../../http/index.ts"),
    import("./worker-reports.ts"),
  ]);
  const reports = createWorkerReports(runningWorkers, count);
  const warn = (message: string, details: object): void => log.warn(details, message);
  const listener = await listenForOperations(address, reports, warn);
  if (listener !== undefined) log.info({ host: address.host, port: listener.port }, "operations endpoints");
  return { reports, listener };
}

async function supervise(given: {
  readonly count: number;
  readonly log: Log;
  readonly announce: () => void;
  readonly reports: WorkerReports | undefined;
  readonly stopping: AbortController;
}): Promise<void> {
  const { count, log, announce, reports, stopping } = given;
  await forkFirst(stopping.signal);
  cluster.on("exit", (worker, code, signal) => {
    reports?.ended(worker);
    if (stopping.signal.aborted) return;
    log.error({ processId: worker.process.pid, exitCode: code, signal }, "a worker died; starting another");
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

const runningWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

async function stopAll(): Promise<void> {
  const workers = runningWorkers();
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
