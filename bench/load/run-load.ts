import { type Answer, Connection } from "./connection.ts";
import { createPreparation, type Preparation, type Work } from "./work.ts";

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly warmUpSeconds: number;
  /** The warm-up continues until so many were answered, but not longer than `longestWarmUpSeconds`. */
  readonly warmUpOperations: number;
  readonly seconds: number;
  /** Most operations per second that a run can have to be prepared for, where each is good once. */
  readonly mostPerSecond: number;
}

export interface LoadResult {
  readonly operations: number;
  readonly seconds: number;
  /** Milliseconds from sending to the whole answer, of an operation. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Told when the timed part begins and ends, to look at the server's use of the processor. */
export interface Marks {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/**
 * A closed loop: each connection asks again as soon as it is answered. Throws at the first answer that is not as it
 * should be.
 */
export async function runLoad(
  order: LoadOrder,
  prepare: (preparation: Preparation) => Promise<Work>,
  marks: Marks,
): Promise<LoadResult> {
  const connections = Array.from({ length: order.connections }, () => new Connection(order.port));
  try {
    const { warmUpSeconds, warmUpOperations } = order;
    const operations = warmUpOperations + Math.ceil(order.mostPerSecond * (warmUpSeconds + order.seconds));
    const work = await prepare(createPreparation(connections, { connections: order.connections, operations }));
    const runners = connections.map((connection): Runner => ({ connection, last: undefined }));
    await loop(runners, work, { seconds: warmUpSeconds, operations: warmUpOperations });
    await marks.begin();
    const started = performance.now();
    const times = await loop(runners, work, { seconds: order.seconds, operations: 0 });
    const seconds = (performance.now() - started) / 1000;
    await marks.end();
    return summarize(times, seconds);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** A connection and the last answer on it, which the next request may need. */
interface Runner {
  readonly connection: Connection;
  last: Answer | undefined;
}

const longestWarmUpSeconds = 10;

async function loop(
  runners: readonly Runner[],
  work: Work,
  until: { readonly seconds: number; readonly operations: number },
): Promise<number[]> {
  const times: number[] = [];
  const started = performance.now();
  const isEnough = (now: number): boolean =>
    (now - started >= until.seconds * 1000 && times.length >= until.operations) ||
    now - started >= Math.max(until.seconds, longestWarmUpSeconds) * 1000;
  const { requestsPerOperation = 1 } = work;
  const runOne = async (runner: Runner, index: number): Promise<void> => {
    for (let sentAt = performance.now(); !isEnough(sentAt); sentAt = performance.now()) {
      for (let step = 0; step < requestsPerOperation; step++) {
        const request = work.next(index, runner.last);
        if (request === undefined) return;
        const answer = await runner.connection.send(request);
        if (!work.isGood(answer)) throw new Error(`unexpected answer:\n${answer.head}\n\n${answer.body}`);
        runner.last = answer;
      }
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(runners.map(runOne));
  return times;
}

function summarize(times: number[], seconds: number): LoadResult {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { operations: times.length, seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
