import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { advanceAuthorization } from "./authorization.store.ts";
import { authorizationAggregate, authorizationPayload } from "./authorization.ts";
import { deleteAuthorizationRoles, insertAuthorizationRoles } from "./authorization-role.store.ts";
import { authorizeAuthorization } from "./authorize-authorization.ts";
import { checkAssignableRoles } from "./check-assignable-roles.ts";
import { holdGrantOf } from "./hold-grant-of.ts";
import { requireStillAssignable } from "./require-assignable.ts";

/** Replaces the roles of an assignment. Added roles need what a new assignment does; taking roles away does not. */
export async function updateAuthorization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly authorizationId: string; readonly roleKeys: readonly string[] },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const { authorization, project } = await authorizeAuthorization(tx, input.authorizationId);
    const grant = await holdGrantOf(tx, authorization);
    const wanted = new Set(await checkAssignableRoles(tx, { project, grant }, input.roleKeys));
    const current = new Set(authorization.roleKeys);
    const removed = [...current.difference(wanted)];
    const added = [...wanted.difference(current)];
    if (removed.length === 0 && added.length === 0) return authorization.details;
    if (added.length > 0) await requireStillAssignable(tx, authorization, grant);
    await deleteAuthorizationRoles(tx, authorization.authorizationId, removed);
    await insertAuthorizationRoles(tx, authorization.authorizationId, added);
    const changed = await advanceAuthorization(tx, authorization.authorizationId);
    if (changed === undefined) throw new Fault("not_found", "authorization.not_found");
    tx.record({
      type: "authorization.updated",
      ...authorizationAggregate(changed),
      sequence: changed.details.sequence,
      payload: authorizationPayload(changed),
    });
    return changed.details;
  });
}
