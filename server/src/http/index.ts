export { createClientAddress, createProxyTest } from "./client-address.ts";
export type { ObservedJob } from "./job-metrics.ts";
export { createListener, defaultLimits, type ListenerLimits } from "./listener.ts";
export { countersOf, mergeMetrics } from "./merge-metrics.ts";
export { createOperations, type Operations } from "./operations.ts";
export type { OperationsReport } from "./operations-answer.ts";
export {
  listenForOperations,
  type OperationsAddress,
  type OperationsListener,
} from "./operations-listener.ts";
export { createRouter } from "./router.ts";
export { createRequestListener, type FindInstance, type FoundInstance, type Observation } from "./server.ts";
export { createFailureWriter } from "./write-failure.ts";
