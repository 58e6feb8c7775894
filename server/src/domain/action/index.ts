export { addTargetKey } from "./add-target-key.ts";
export { activateTargetKey, deactivateTargetKey, removeTargetKey } from "./change-target-key.ts";
export { createTarget } from "./create-target.ts";
export { deleteTarget } from "./delete-target.ts";
export { deleteSettledDeliveries } from "./delivery.store.ts";
export type { HeldQueue } from "./delivery.ts";
export { findFirstEventExecution } from "./event-execution.store.ts";
export { executionIdOfFunction, executionIdsOfMethod, type FunctionName } from "./execution.ts";
export {
  createExecutionDirectory,
  type ExecutionDirectory,
  findRunnable,
  type InstanceExecutions,
  type RunnableExecution,
} from "./execution-directory.ts";
export { getTarget } from "./get-target.ts";
export { listDeliveries } from "./list-deliveries.ts";
export { listExecutions } from "./list-executions.ts";
export { listTargetKeys } from "./list-target-keys.ts";
export { listTargets } from "./list-targets.ts";
export { queueEvents, queuePayload } from "./queue-deliveries.ts";
export { setExecution } from "./set-execution.ts";
export { type CallableTarget, signingKeyContext, type TargetInput } from "./target.ts";
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
