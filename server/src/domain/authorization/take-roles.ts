import type { Tx } from "../../database/index.ts";
import { advanceAuthorizationsWithRoles } from "./authorization.store.ts";
import { authorizationAggregate, authorizationPayload } from "./authorization.ts";
import { deleteRolesEverywhere } from "./authorization-role.store.ts";

/**
 * Step: removes roles from all assignments on a project, or over a grant. The project is locked exclusively. All roles
 * at once: the affected assignments are determined before any is changed (GHSA-v859-c572-qh5p). An assignment that
 * loses its last role stays, without roles.
 */
export async function takeRoles(
  tx: Tx,
  of: { readonly projectId: string } | { readonly projectGrantId: string },
  roleKeys: readonly string[],
): Promise<void> {
  if (roleKeys.length === 0) return;
  const taken = new Set(roleKeys);
  const changed = await advanceAuthorizationsWithRoles(tx, of, roleKeys);
  await deleteRolesEverywhere(tx, of, roleKeys);
  for (const authorization of changed) {
    const left = { ...authorization, roleKeys: authorization.roleKeys.filter((key) => !taken.has(key)) };
    tx.record({
      type: "authorization.updated",
      ...authorizationAggregate(left),
      sequence: left.details.sequence,
      payload: authorizationPayload(left),
    });
  }
}
