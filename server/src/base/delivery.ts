import { createLanes, type LanesOptions } from "./lanes.ts";

/** What became of an attempt: it arrived, it is made again later, or it is given up. */
export type DeliveryEnd = "delivered" | "postponed" | "failed";

/** How many attempts ended how since the last time. */
export type DeliveryCounts = Readonly<Record<DeliveryEnd, number>>;

/** Sends what stands in a queue to servers of others. */
export interface Delivery {
  /** Begins with what is due, without waiting for it. */
  wake(): void;
  /** Delivers what is due and resolves when nothing is left of it. */
  run(): Promise<DeliveryCounts>;
  /** Ends what is on its way; a later process, or another node, tries it again. */
  stop(): Promise<void>;
}

/** Who is told of what goes wrong. */
export interface DeliveryWitness {
  /** Told of every attempt that failed, with what it was about. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Told of every failure that nobody expected. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface DeliveryOptions<Task> extends Pick<LanesOptions<Task>, "most" | "take"> {
  /** Stands in reports where the id of a request would. */
  readonly name: string;
  /** What the warnings of attempts say that did not arrive. */
  readonly warnings: Readonly<Record<Exclude<DeliveryEnd, "delivered">, string>>;
  /** Works on a task, and tells of each attempt how it ended and what it was about. `stopping` is aborted when the delivery is stopped. */
  readonly perform: (
    task: Task,
    stopping: AbortSignal,
    tell: (end: DeliveryEnd, details: Readonly<Record<string, unknown>>) => void,
  ) => Promise<void>;
}

/** Makes the sender of a queue, which counts how its attempts end and warns of those that did not arrive. */
export function createDelivery<Task>(witness: DeliveryWitness, options: DeliveryOptions<Task>): Delivery {
  const { name, most, take, warnings, perform } = options;
  let counts = { delivered: 0, postponed: 0, failed: 0 };
  const tell = (end: DeliveryEnd, details: Readonly<Record<string, unknown>>): void => {
    counts[end]++;
    if (end !== "delivered") witness.warn(warnings[end], details);
  };
  const { wake, drain, stop } = createLanes<Task>({
    most,
    take,
    perform: (task, stopping) => perform(task, stopping, tell),
    report: (error) => witness.report(error, name),
  });
  return {
    wake,
    stop,
    run: async () => {
      await drain();
      const done = counts;
      counts = { delivered: 0, postponed: 0, failed: 0 };
      return done;
    },
  };
}
