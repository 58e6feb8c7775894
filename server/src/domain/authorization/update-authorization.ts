import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { changeRows, type Database, type Details, performBefore, type Tx } from "../../database/index.ts";
import { advanceAuthorization } from "./authorization.store.ts";
import { authorizationAggregate, authorizationPayload } from "./authorization.ts";
import { deleteAuthorizationRoles, insertAuthorizationRoles } from "./authorization-role.store.ts";
import { authorizeAuthorization } from "./authorize-authorization.ts";
import { checkAssignableRoles } from "./check-assignable-roles.ts";
import { holdGrantOf } from "./hold-grant-of.ts";
import { requireStillAssignable } from "./require-assignable.ts";

// As many as one call may name. Assignments from before that bound have more.
const mostRemoved = 1000;

/** Replaces the roles of an assignment. Added roles need what a new assignment does; taking roles away does not. */
export async function updateAuthorization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly authorizationId: string; readonly roleKeys: readonly string[] },
): Promise<Details> {
  const { authorizationId } = input;
  return changeRows({ database: deps.database, call, asked: input.roleKeys.length }, async (tx, expect) => {
    const { authorization, project } = await authorizeAuthorization(tx, authorizationId);
    const grant = await holdGrantOf(tx, authorization);
    const wanted = new Set(await checkAssignableRoles(tx, { project, grant }, input.roleKeys));
    const current = new Set(authorization.roleKeys);
    const removed = [...current.difference(wanted)];
    const added = [...wanted.difference(current)];
    if (removed.length === 0 && added.length === 0) return authorization.details;
    expect(removed.length + added.length);
    if (added.length > 0) await requireStillAssignable(tx, authorization, grant);
    await performBefore(tx, {
      isLeft: async () => removed.length > mostRemoved,
      perform: (own) => takeFrom(own, authorizationId, new Set(removed.slice(0, mostRemoved))),
    });
    return replaceRoles(tx, authorizationId, { removed, added });
  });
}

// Others may have changed the assignment since the unit that found the roles.
async function takeFrom(tx: Tx, authorizationId: string, roleKeys: ReadonlySet<string>): Promise<void> {
  const { authorization } = await authorizeAuthorization(tx, authorizationId);
  const removed = authorization.roleKeys.filter((key) => roleKeys.has(key));
  if (removed.length > 0) await replaceRoles(tx, authorizationId, { removed, added: [] });
}

async function replaceRoles(
  tx: Tx,
  authorizationId: string,
  { removed, added }: { readonly removed: readonly string[]; readonly added: readonly string[] },
): Promise<Details> {
  if (removed.length > 0) await deleteAuthorizationRoles(tx, authorizationId, removed);
  await insertAuthorizationRoles(tx, authorizationId, added);
  const changed = await advanceAuthorization(tx, authorizationId);
  if (changed === undefined) throw new Fault("not_found", "authorization.not_found");
  tx.record({
    type: "authorization.updated",
    ...authorizationAggregate(changed),
    sequence: changed.details.sequence,
    payload: authorizationPayload(changed),
  });
  return changed.details;
}
