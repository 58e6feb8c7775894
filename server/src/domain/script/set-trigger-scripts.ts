import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdOrganizationFor, recordOrganizationEvent } from "../organization/index.ts";
import { findFlow, listScriptIdsOfTrigger, putFlow, replaceScriptsOfTrigger } from "./flow.store.ts";
import { type FlowName, hasTrigger, mostScriptsOfTrigger, type TriggerName } from "./flow.ts";
import { holdScriptIds } from "./script.store.ts";

export interface TriggerScripts {
  readonly organizationId: string;
  readonly flow: FlowName;
  readonly trigger: TriggerName;
  /** In the order in which they run; an empty list for none. */
  readonly scriptIds: readonly string[];
}

/**
 * Sets which scripts run at a trigger. The same list changes nothing. Throws the Faults `flow.trigger_unknown`,
 * `flow.too_many_actions`, `flow.action_repeated` and `action.not_found`.
 */
export function setTriggerScripts(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, flow, trigger, scriptIds }: TriggerScripts,
): Promise<Details> {
  if (!hasTrigger(flow, trigger)) {
    throw new Fault("invalid_argument", "flow.trigger_unknown", { field: "triggerType" });
  }
  if (scriptIds.length > mostScriptsOfTrigger) {
    const values = { maximum: mostScriptsOfTrigger };
    throw new Fault("invalid_argument", "flow.too_many_actions", { field: "actionIds", values });
  }
  if (new Set(scriptIds).size < scriptIds.length) {
    throw new Fault("invalid_argument", "flow.action_repeated", { field: "actionIds" });
  }
  return deps.database.change(call, async (tx) => {
    // Locked, so that concurrent changes follow one another.
    const organization = await holdOrganizationFor(tx, organizationId, "org.flow.write");
    const known = await holdScriptIds(tx, organizationId, scriptIds);
    if (!scriptIds.every((scriptId) => known.has(scriptId))) {
      throw new Fault("not_found", "action.not_found", { field: "actionIds" });
    }
    const key = { organizationId, flow, trigger };
    const former = await findFlow(tx, tx.instanceId, key);
    const present = await listScriptIdsOfTrigger(tx, tx.instanceId, key);
    if (present.join() === scriptIds.join()) {
      return former === undefined ? organization.details : { ...former, ownerId: organizationId };
    }
    await replaceScriptsOfTrigger(tx, key, scriptIds);
    const { sequence } = await recordOrganizationEvent(tx, organizationId, {
      type: "organization.flow.actions.set",
      payload: { flow, trigger, actionIds: scriptIds },
    });
    await putFlow(tx, key, sequence);
    return { sequence, createdAt: former?.createdAt ?? tx.now, changedAt: tx.now, ownerId: organizationId };
  });
}
