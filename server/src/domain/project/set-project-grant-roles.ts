import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { checkGrantRoles } from "./create-project-grant.ts";
import { advanceProjectGrant } from "./project-grant.store.ts";
import { type ProjectGrant, projectGrantAggregate, projectGrantPayload } from "./project-grant.ts";
import { deleteGrantRoles, insertGrantRoles } from "./project-grant-role.store.ts";

/**
 * Step: replaces the roles of a grant whose project is locked exclusively, and returns those that it lost. The caller
 * (`deletion`) removes them from role assignments over the grant.
 */
export async function setProjectGrantRoles(
  tx: Tx,
  grant: ProjectGrant,
  roleKeys: readonly string[],
): Promise<{ readonly grant: ProjectGrant; readonly removed: readonly string[] }> {
  const wanted = new Set(await checkGrantRoles(tx, grant.projectId, roleKeys));
  const current = new Set(grant.roleKeys);
  const removed = [...current.difference(wanted)];
  const added = [...wanted.difference(current)];
  if (removed.length === 0 && added.length === 0) return { grant, removed };
  await deleteGrantRoles(tx, grant.grantId, removed);
  await insertGrantRoles(tx, grant.grantId, added);
  const changed = await advanceProjectGrant(tx, grant.grantId);
  if (changed === undefined) throw new Fault("not_found", "project_grant.not_found");
  tx.record({
    type: "project_grant.updated",
    ...projectGrantAggregate(changed),
    sequence: changed.details.sequence,
    payload: projectGrantPayload(changed),
  });
  return { grant: changed, removed };
}
