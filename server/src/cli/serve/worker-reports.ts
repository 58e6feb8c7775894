import type { Worker } from "node:cluster";
import process from "node:process";
import { seconds } from "../../base/clock.ts";
import { isRecord } from "../../base/json.ts";
import { countersOf, mergeMetrics, type OperationsReport } from "../../http/index.ts";

type Question = "metrics" | "ready";

// A worker that does not answer within this time is missing in the report.
const patience = seconds(2);

/** Makes this worker answer what its supervisor asks. */
export function answerSupervisor(report: OperationsReport): void {
  process.on("message", (message: unknown) => {
    const asked = readMessage(message);
    if (asked === undefined) return;
    const { question, number } = asked;
    const answer = question === "metrics" ? report.metrics() : report.reasonsNotReady();
    answer.then(
      (value) => void process.send?.({ doorward: question, number, value }),
      () => {},
    );
  });
}

/** The report of a supervisor, out of those of its workers. */
export interface WorkerReports extends OperationsReport {
  /** Keeps what a worker had counted, when it ends. */
  ended(worker: Worker): void;
}

/** Creates the report over all workers. `workers` returns those that run; `expected` is how many there should be. */
export function createWorkerReports(workers: () => readonly Worker[], expected: number): WorkerReports {
  const last = new Map<number, string>();
  let past = "";
  let number = 0;
  const askAll = async (question: Question) => {
    const asked = workers();
    const answers = await Promise.all(asked.map((worker) => ask(worker, question, ++number)));
    return asked.flatMap((worker, index) => {
      const value = answers[index];
      return value === undefined ? [] : [{ worker, value }];
    });
  };
  return {
    ended: ({ id }) => {
      past = countersOf([past, last.get(id) ?? ""]);
      last.delete(id);
    },
    reasonsNotReady: async () => {
      const found = await askAll("ready");
      const reasons = found.flatMap(({ value }) => (Array.isArray(value) ? value.map(String) : []));
      const missing = expected - found.length;
      if (found.length > 0) return [...new Set(reasons)];
      return [`none of ${missing} workers answers`];
    },
    metrics: async () => {
      const found = (await askAll("metrics")).flatMap(({ worker: { id }, value }) =>
        typeof value === "string" ? [{ worker: String(id), text: value }] : [],
      );
      for (const { worker, text } of found) last.set(Number(worker), text);
      const up = "# HELP doorward_workers_up Workers that answered\n# TYPE doorward_workers_up gauge\n";
      return `${up}doorward_workers_up ${found.length}\n${mergeMetrics([{ worker: "", text: past }, ...found])}`;
    },
  };
}

function ask(worker: Worker, question: Question, number: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const hear = (message: unknown): void => {
    const answered = readMessage(message);
    if (answered?.question === question && answered.number === number) resolve(answered.value);
  };
  const giveUp = (): void => resolve(undefined);
  const timer = setTimeout(giveUp, patience);
  worker.on("message", hear);
  worker.once("exit", giveUp);
  if (!worker.isConnected()) giveUp();
  else worker.send({ doorward: question, number });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", hear);
    worker.off("exit", giveUp);
  });
}

function readMessage(message: unknown): { question: Question; number: number; value: unknown } | undefined {
  if (!isRecord(message)) return undefined;
  const { doorward: question, number, value } = message;
  if ((question !== "metrics" && question !== "ready") || typeof number !== "number") return undefined;
  return { question, number, value };
}
