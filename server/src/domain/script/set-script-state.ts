import { Fault } from "../../base/fault.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdScript, type ScriptKey, updateScriptState } from "./script.store.ts";
import { type ScriptState, scriptAbsence, scriptAggregate } from "./script.ts";

const types = { active: "action.activated", inactive: "action.deactivated" } as const;
const refusals = { active: "action.not_inactive", inactive: "action.not_active" } as const;

/**
 * Activates or deactivates a script. An inactive one keeps its places in flows and does not run. Throws the Faults
 * `action.not_found`, `action.not_inactive` and `action.not_active`.
 */
export function setScriptState(
  deps: { readonly database: Database },
  call: Call,
  { state, ...key }: ScriptKey & { readonly state: ScriptState },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const script = await holdScript(tx, key);
    authorize(call, script, { permission: "org.action.write", ...scriptAbsence });
    if (script.state === state) throw new Fault("failed_precondition", refusals[state]);
    const updated = await updateScriptState(tx, script.scriptId, state);
    if (updated === undefined) throw new Fault("not_found", "action.not_found");
    tx.record({ type: types[state], ...scriptAggregate(updated), sequence: updated.details.sequence });
    return updated.details;
  });
}
