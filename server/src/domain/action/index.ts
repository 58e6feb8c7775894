export { addTargetKey } from "./add-target-key.ts";
export { activateTargetKey, deactivateTargetKey, removeTargetKey } from "./change-target-key.ts";
export { createTarget, type TargetDeps } from "./create-target.ts";
export { deleteTarget } from "./delete-target.ts";
export { settledDeliveries } from "./delivery.store.ts";
export type { DeliveryState, HeldQueue, ListedDelivery } from "./delivery.ts";
export { findFirstEventExecution } from "./event-execution.store.ts";
export {
  type ClaimFunctionName,
  type Condition,
  type Execution,
  type ExecutionKind,
  executionIdOf,
  executionIdOfFunction,
  executionIdsOfMethod,
  type FunctionName,
  functionNames,
} from "./execution.ts";
export {
  createExecutionDirectory,
  type ExecutionDirectory,
  findRunnable,
  type InstanceExecutions,
  type RunnableExecution,
} from "./execution-directory.ts";
export type { ExecutionFilter, ExecutionSearch } from "./execution-list.store.ts";
export { listFailedDeliveries } from "./failed-delivery.store.ts";
export { getTarget } from "./get-target.ts";
export { giveUpDelivery } from "./give-up-delivery.ts";
export { listDeliveries } from "./list-deliveries.ts";
export { listExecutions } from "./list-executions.ts";
export { listTargetKeys } from "./list-target-keys.ts";
export { listTargets } from "./list-targets.ts";
export { queueEvents, queuePayload } from "./queue-deliveries.ts";
export { setExecution } from "./set-execution.ts";
export { type CallableTarget, type PayloadType, signingKeyContext, type Target, type TargetInput } from "./target.ts";
export type { TargetKeyFilter, TargetKeySearch } from "./target-key.store.ts";
export type { TargetKey } from "./target-key.ts";
export type { TargetFilter, TargetSearch } from "./target-list.store.ts";
export { updateTarget } from "./update-target.ts";
export {
  type DueDelivery,
  discardQueue,
  holdQueue,
  keepQueue,
  type QueueDeps,
  readPayload,
  readQueue,
  releaseQueue,
  settle,
} from "./visit-queue.ts";
