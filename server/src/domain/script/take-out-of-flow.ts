import type { Tx } from "../../database/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { listScriptIdsOfTrigger, putFlow, replaceScriptsOfTrigger } from "./flow.store.ts";
import type { FlowName, TriggerName } from "./flow.ts";
import type { ScriptKey } from "./script.store.ts";

/** Step: takes a script that is deleted out of a trigger, for a caller that holds the organization. */
export async function takeOutOfFlow(
  tx: Tx,
  { organizationId, scriptId }: ScriptKey,
  { flow, trigger }: { readonly flow: FlowName; readonly trigger: TriggerName },
): Promise<void> {
  const key = { organizationId, flow, trigger };
  const scriptIds = await listScriptIdsOfTrigger(tx, tx.instanceId, key);
  await replaceScriptsOfTrigger(
    tx,
    key,
    scriptIds.filter((id) => id !== scriptId),
  );
  const { sequence } = await recordOrganizationEvent(tx, organizationId, {
    type: "organization.flow.action.removed",
    payload: { flow, trigger, actionId: scriptId },
  });
  await putFlow(tx, key, sequence);
}
