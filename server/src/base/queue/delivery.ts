import { createLanes, type LanesOptions } from "./lanes.ts";

/** How an attempt ended: delivered, to be repeated later, or given up. */
export type DeliveryEnd = "delivered" | "postponed" | "failed";

/** How many attempts had each outcome since the last time. */
type DeliveryCounts = Readonly<Record<DeliveryEnd, number>>;

/** Sends the entries of a queue to other servers. */
export interface Delivery {
  /** Starts with what is due, without waiting for it. */
  wake(): void;
  /** Delivers what is due and resolves when nothing due is left. */
  run(): Promise<DeliveryCounts>;
  /** Aborts running attempts; a later process, or another node, repeats them. */
  stop(): Promise<void>;
}

/** Receives reports of problems. */
export interface DeliveryWitness {
  /** Called for every failed attempt, with its details. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface DeliveryOptions<Task> extends Pick<LanesOptions<Task>, "most" | "payersOf" | "shares" | "take"> {
  /** Takes the place of the request id in reports. */
  readonly name: string;
  /** Log messages for attempts that did not deliver. */
  readonly warnings: Readonly<Record<Exclude<DeliveryEnd, "delivered">, string>>;
  /**
   * Performs a task, and reports the outcome and details of each attempt. `stopping` is aborted when the delivery is
   * stopped.
   */
  readonly perform: (
    task: Task,
    stopping: AbortSignal,
    tell: (end: DeliveryEnd, details: Readonly<Record<string, unknown>>) => void,
  ) => Promise<void>;
}

/** Creates the sender of a queue, which counts the outcomes of attempts and warns of those that did not deliver. */
export function createDelivery<Task>(witness: DeliveryWitness, options: DeliveryOptions<Task>): Delivery {
  const { name, most, payersOf, shares, take, warnings, perform } = options;
  let counts = { delivered: 0, postponed: 0, failed: 0 };
  const tell = (end: DeliveryEnd, details: Readonly<Record<string, unknown>>): void => {
    counts[end]++;
    if (end !== "delivered") witness.warn(warnings[end], details);
  };
  const { wake, drain, stop } = createLanes<Task>({
    most,
    payersOf,
    shares,
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
