import type { Tx } from "../../database/index.ts";
import { deleteAuthorizations } from "./authorization.store.ts";
import { type AuthorizationsOf, authorizationAggregate, authorizationPayload } from "./authorization.ts";

/** Step: deletes role assignments by id, or all those of a user, a project, a grant or an organization. */
export async function removeAuthorizations(
  tx: Tx,
  which: AuthorizationsOf | { readonly authorizationIds: readonly string[] },
): Promise<void> {
  for (const authorization of await deleteAuthorizations(tx, which)) {
    tx.record({
      type: "authorization.deleted",
      ...authorizationAggregate(authorization),
      sequence: authorization.details.sequence,
      payload: authorizationPayload(authorization),
    });
  }
}
