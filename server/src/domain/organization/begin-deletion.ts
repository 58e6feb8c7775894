import type { Tx } from "../../database/index.ts";
import { updateOrganizationState } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";
import { putDeletion } from "./organization-deletion.store.ts";

/**
 * Step: marks an organization that is deleted in batches, and deactivates it: nothing in it is accepted from now on,
 * and it cannot be activated again.
 */
export async function beginDeletion(tx: Tx, organizationId: string): Promise<void> {
  const { caller, requestId } = tx.call;
  const { userId, clientId } = caller ?? {};
  await putDeletion(tx, organizationId, { begunAt: tx.now, requestId, userId, clientId });
  const changed = await updateOrganizationState(tx, organizationId, { state: "inactive", isByInstance: false });
  if (changed === undefined) return;
  tx.record({
    type: "organization.deactivated",
    ...organizationAggregate(organizationId),
    sequence: changed.details.sequence,
  });
}
