import type { Tx } from "../../database/index.ts";
import { deleteProjectGrantRow } from "./project-grant.store.ts";
import { type ProjectGrant, projectGrantAggregate, projectGrantPayload } from "./project-grant.ts";

/** Step: deletes a grant whose project is locked exclusively. The caller (`deletion`) deletes what depends on it. */
export async function removeProjectGrant(tx: Tx, grant: ProjectGrant): Promise<void> {
  const sequence = await deleteProjectGrantRow(tx, grant.grantId);
  if (sequence === undefined) return;
  tx.record({
    type: "project_grant.deleted",
    ...projectGrantAggregate(grant),
    sequence,
    payload: projectGrantPayload(grant),
  });
}
