export { createTargetDelivery } from "./deliver.ts";
export { createEventFollowing, type EventFollowing } from "./follow-events.ts";
export { createIntercept, type Intercept, type Interception, isInterceptable, type JsonMessage } from "./intercept.ts";
export {
  createFunctionRunner,
  type FunctionInput,
  type FunctionResult,
  type FunctionRunner,
} from "./run-function.ts";
export type { RunDeps } from "./run-targets.ts";
