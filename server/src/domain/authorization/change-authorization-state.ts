import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { updateAuthorizationState } from "./authorization.store.ts";
import { type AuthorizationState, authorizationAggregate } from "./authorization.ts";
import { authorizeAuthorization } from "./authorize-authorization.ts";
import { holdGrantOf } from "./hold-grant-of.ts";
import { requireStillAssignable } from "./require-assignable.ts";

const events = { active: "authorization.activated", inactive: "authorization.deactivated" } as const;

/**
 * Activates or deactivates a role assignment. An inactive assignment gives no roles, so activating it needs what a new
 * one does. Setting the current state again is accepted.
 */
export async function changeAuthorizationState(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly authorizationId: string; readonly state: AuthorizationState },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const { authorization } = await authorizeAuthorization(tx, input.authorizationId);
    const isRevived = input.state === "active" && authorization.state !== "active";
    if (isRevived) await requireStillAssignable(tx, authorization, await holdGrantOf(tx, authorization));
    const changed = await updateAuthorizationState(tx, authorization.authorizationId, input.state);
    if (changed === undefined) return authorization.details;
    tx.record({ type: events[input.state], ...authorizationAggregate(changed), sequence: changed.details.sequence });
    return changed.details;
  });
}
