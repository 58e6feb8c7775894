import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findScript, type ScriptKey } from "./script.store.ts";
import { type Script, scriptAbsence } from "./script.ts";

/** Returns a script of an organization, for callers who may read it. */
export async function getScript(deps: { readonly database: Database }, call: Call, key: ScriptKey): Promise<Script> {
  const script = await findScript(deps.database.read, call.instanceId, key);
  authorize(call, script, { permission: "org.action.read", ...scriptAbsence });
  return script;
}
