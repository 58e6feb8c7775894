import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { checkGrantRoles } from "./create-project-grant.ts";
import { advanceProjectGrant } from "./project-grant.store.ts";
import { type ProjectGrant, projectGrantAggregate, projectGrantPayload } from "./project-grant.ts";
import { deleteGrantRoles, insertGrantRoles } from "./project-grant-role.store.ts";

/** What a change of the roles of a grant takes and adds. */
interface RoleDifference {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Compares the roles of a grant, whose project is locked exclusively, with those that it shall have. */
export async function compareGrantRoles(
  tx: Tx,
  grant: ProjectGrant,
  roleKeys: readonly string[],
): Promise<RoleDifference> {
  const wanted = new Set(await checkGrantRoles(tx, grant.projectId, roleKeys));
  const current = new Set(grant.roleKeys);
  return { removed: [...current.difference(wanted)], added: [...wanted.difference(current)] };
}

/**
 * Step: changes the roles of a grant whose project is locked exclusively. The caller (`deletion`) removes those that it
 * loses from role assignments over the grant.
 */
export async function setProjectGrantRoles(
  tx: Tx,
  grant: ProjectGrant,
  { removed, added }: RoleDifference,
): Promise<ProjectGrant> {
  if (removed.length === 0 && added.length === 0) return grant;
  if (removed.length > 0) await deleteGrantRoles(tx, grant.grantId, removed);
  await insertGrantRoles(tx, grant.grantId, added);
  const changed = await advanceProjectGrant(tx, grant.grantId);
  if (changed === undefined) throw new Fault("not_found", "project_grant.not_found");
  tx.record({
    type: "project_grant.updated",
    ...projectGrantAggregate(changed),
    sequence: changed.details.sequence,
    payload: projectGrantPayload(changed),
  });
  return changed;
}
