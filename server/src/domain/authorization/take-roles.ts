import { performAll, type Tx } from "../../database/index.ts";
import { advanceAuthorizations, listAuthorizationIdsWithRoles } from "./authorization.store.ts";
import { authorizationAggregate, authorizationPayload } from "./authorization.ts";
import { deleteRolesOfAuthorizations } from "./authorization-role.store.ts";

/**
 * Step: removes roles from all assignments on a project, or over a grant, of which there may be any number: more than a
 * batch lose them before, in units of their own. The project is locked exclusively, so that none gets them afterwards.
 * An assignment loses all of the roles at once (GHSA-v859-c572-qh5p), and stays without roles when it loses its last.
 *
 * @param size how many assignments are a batch: fewer where each has many roles
 */
export async function takeRoles(
  tx: Tx,
  of: { readonly projectId: string } | { readonly projectGrantId: string },
  roleKeys: readonly string[],
  size = roleKeys.length > 100 ? 10 : 100,
): Promise<void> {
  if (roleKeys.length === 0) return;
  await performAll(tx, {
    list: (own, limit) => listAuthorizationIdsWithRoles(own, of, { roleKeys, limit }),
    perform: (own, authorizationIds) => takeFrom(own, authorizationIds, roleKeys),
    size,
  });
}

async function takeFrom(tx: Tx, authorizationIds: readonly string[], roleKeys: readonly string[]): Promise<void> {
  const taken = new Set(roleKeys);
  const changed = await advanceAuthorizations(tx, authorizationIds);
  await deleteRolesOfAuthorizations(tx, authorizationIds, roleKeys);
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
