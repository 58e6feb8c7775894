import { authorize, type Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { deleteFlowsOfOrganization, listFlowsOfScript } from "./flow.store.ts";
import { deleteScriptRow, holdScript, holdScriptsOfOrganization, type ScriptKey } from "./script.store.ts";
import { type Script, scriptAbsence, scriptAggregate } from "./script.ts";
import { takeOutOfFlow } from "./take-out-of-flow.ts";

/** Deletes a script and takes it out of all flows. Throws the Fault `action.not_found`. */
export async function deleteScript(deps: { readonly database: Database }, call: Call, key: ScriptKey): Promise<void> {
  await deps.database.change(call, async (tx) => {
    // First, so that no flow can add the script from here on.
    await holdOrganization(tx, key.organizationId, "alone");
    const script = await holdScript(tx, key);
    authorize(call, script, { permission: "org.action.delete", ...scriptAbsence });
    for (const flow of await listFlowsOfScript(tx, script.scriptId)) await takeOutOfFlow(tx, script, flow);
    await removeScript(tx, script);
  });
}

/** Step, for an organization that is being deleted and locked: deletes its scripts and flows. */
export async function deleteScriptsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await deleteFlowsOfOrganization(tx, organizationId);
  for (const script of await holdScriptsOfOrganization(tx, organizationId)) await removeScript(tx, script);
}

async function removeScript(tx: Tx, script: Script): Promise<void> {
  const sequence = await deleteScriptRow(tx, script.scriptId);
  if (sequence === undefined) return;
  tx.record({ type: "action.deleted", ...scriptAggregate(script), sequence, payload: { name: script.name } });
}
