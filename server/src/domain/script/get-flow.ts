import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findFlow, listScriptsOfFlow } from "./flow.store.ts";
import { type Flow, type FlowName, triggersOfFlows } from "./flow.ts";

/** Returns which scripts of an organization run in a flow, for callers who may read it. */
export async function getFlow(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, flow }: { readonly organizationId: string; readonly flow: FlowName },
): Promise<Flow> {
  requirePermission(call, "org.flow.read", { organizationId });
  const { read } = deps.database;
  const [row, placed] = await Promise.all([
    findFlow(read, call.instanceId, { organizationId, flow }),
    listScriptsOfFlow(read, call.instanceId, { organizationId, flow }),
  ]);
  const triggers = triggersOfFlows[flow]
    .map((trigger) => ({
      trigger,
      scripts: placed.filter((each) => each.trigger === trigger).map(({ script }) => script),
    }))
    .filter(({ scripts }) => scripts.length > 0);
  return { flow, triggers, details: row && { ...row, ownerId: organizationId } };
}
