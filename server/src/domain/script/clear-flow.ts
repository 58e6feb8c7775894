import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdOrganizationFor, recordOrganizationEvent } from "../organization/index.ts";
import { clearFlowScripts, findFlow, putFlow } from "./flow.store.ts";
import type { FlowName } from "./flow.ts";

/** Takes all scripts out of a flow; the scripts stay. An empty flow changes nothing. */
export function clearFlow(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, flow }: { readonly organizationId: string; readonly flow: FlowName },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const organization = await holdOrganizationFor(tx, organizationId, "org.flow.delete");
    const key = { organizationId, flow };
    const former = await findFlow(tx, tx.instanceId, key);
    if ((await clearFlowScripts(tx, key)) === 0) {
      return former === undefined ? organization.details : { ...former, ownerId: organizationId };
    }
    const type = "organization.flow.cleared";
    const { sequence } = await recordOrganizationEvent(tx, organizationId, { type, payload: { flow } });
    await putFlow(tx, key, sequence);
    return { sequence, createdAt: former?.createdAt ?? tx.now, changedAt: tx.now, ownerId: organizationId };
  });
}
