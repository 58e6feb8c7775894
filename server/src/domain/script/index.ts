export { clearFlow } from "./clear-flow.ts";
export { createScript } from "./create-script.ts";
export { type Flow, type FlowName, type TriggerName, triggersOfFlows } from "./flow.ts";
export { getFlow } from "./get-flow.ts";
export { getScript } from "./get-script.ts";
export { listScripts } from "./list-scripts.ts";
export { deleteScriptsOfOrganization, removeScript } from "./remove-script.ts";
export { holdScript, type ScriptKey } from "./script.store.ts";
export { type Script, type ScriptInput, scriptAbsence } from "./script.ts";
export { createScriptDirectory, type ScriptDirectory, type TriggerPoint } from "./script-directory.ts";
export type { ScriptFilter, ScriptSearch } from "./script-list.store.ts";
export type { ScriptTrust } from "./script-trust.ts";
export { setScriptState } from "./set-script-state.ts";
export { setTriggerScripts } from "./set-trigger-scripts.ts";
export {
  type PersonChange,
  type ScriptAuthentication,
  type SignInFlow,
  type SignInScripts,
  unchanged,
} from "./sign-in-scripts.ts";
export { updateScript } from "./update-script.ts";
