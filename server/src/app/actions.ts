import type { Delivery } from "../base/queue/delivery.ts";
import type { Config } from "../config/index.ts";
import {
  createEventFollowing,
  createFunctionRunner,
  createIntercept,
  createTargetDelivery,
  createWaitShare,
  type EventFollowing,
  type FunctionRunner,
  type Intercept,
} from "../extension/index.ts";
import { namespaceWord } from "../rpc/index.ts";
import type { Domain } from "./domain.ts";

/** Calls to the servers of third parties. */
export interface Actions {
  readonly intercept: Intercept;
  readonly functions: FunctionRunner;
  /** Empties the queues; run by the jobs. */
  readonly delivery: Delivery;
  /** Fills the queues from the event feed. */
  readonly following: EventFollowing;
}

/** Builds the parts that call the targets of executions. */
export function createActions(
  config: Config,
  domain: Domain,
  given: {
    readonly originOf: (instanceId: string) => Promise<string>;
    readonly report: (error: unknown, requestId: string) => void;
  },
): Actions {
  const warn = (message: string, details: Readonly<Record<string, unknown>> = {}): void =>
    domain.log.warn(details, message);
  const calling = { ...domain, ...given, words: [namespaceWord, ...config.namespaceAliases], warn };
  const delivery = createTargetDelivery(calling);
  const deps = { ...calling, queued: delivery.wake, waiting: createWaitShare() };
  return {
    intercept: createIntercept(deps),
    functions: createFunctionRunner(deps),
    delivery,
    following: createEventFollowing({ ...domain, warn, wake: delivery.wake }),
  };
}
