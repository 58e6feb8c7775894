export { createClientAddress } from "./client-address.ts";
export type { Failure, FailureWriter } from "./failure.ts";
export type { ObservedJob } from "./job-metrics.ts";
export { createListener, defaultLimits, type Listener, type ListenerLimits } from "./listener.ts";
export { createOperations, type Operations, type OperationsDeps } from "./operations.ts";
export { createRouter, type Router } from "./router.ts";
export {
  type Arrival,
  createRequestListener,
  type FindInstance,
  type FoundInstance,
  type NodeRequest,
  type Observation,
  type RawHandler,
  type ServerDeps,
} from "./server.ts";
export { createFailureWriter, type FailureDeps } from "./write-failure.ts";
export type { NodeResponse } from "./write-response.ts";
