export { createWaitShare } from "./call-waiting.ts";
export { createTargetDelivery } from "./deliver.ts";
export { createEventFollowing, type EventFollowing } from "./follow-events.ts";
export {
  type Accept,
  createIntercept,
  type Intercept,
  type InterceptedMethod,
  type Interception,
  isInterceptable,
  type JsonMessage,
  type ShownMessage,
} from "./intercept.ts";
export { createFunctionRunner, type FunctionRunner } from "./run-function.ts";
export {
  createLatePool,
  createLateSignInScripts,
  createSamlScripts,
  createScriptLog,
  createTokenScripts,
  type SamlScripts,
  type TokenScripts,
} from "./script/index.ts";
