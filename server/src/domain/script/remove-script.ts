import type { Tx } from "../../database/index.ts";
import { deleteFlowsOfOrganization, listFlowsOfScript } from "./flow.store.ts";
import { deleteScriptRow, holdScriptsOfOrganization } from "./script.store.ts";
import { type Script, scriptAggregate } from "./script.ts";
import { takeOutOfFlow } from "./take-out-of-flow.ts";

/** Step: takes a script out of all flows and deletes it, for a caller that holds the organization and the script. */
export async function removeScript(tx: Tx, script: Script): Promise<void> {
  for (const flow of await listFlowsOfScript(tx, script.scriptId)) await takeOutOfFlow(tx, script, flow);
  const sequence = await deleteScriptRow(tx, script.scriptId);
  if (sequence === undefined) return;
  tx.record({ type: "action.deleted", ...scriptAggregate(script), sequence, payload: { name: script.name } });
}

/** Step, for an organization that is being deleted and locked: deletes its scripts and flows. */
export async function deleteScriptsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await deleteFlowsOfOrganization(tx, organizationId);
  for (const script of await holdScriptsOfOrganization(tx, organizationId)) await removeScript(tx, script);
}
