import { performAll, type Tx } from "../../database/index.ts";
import { deleteAuthorizations, listAuthorizationIds } from "./authorization.store.ts";
import { type AuthorizationsOf, authorizationAggregate, authorizationPayload } from "./authorization.ts";

/** Step: deletes all role assignments of users, a group, a project, a grant or an organization. */
export function removeAuthorizations(
  tx: Tx,
  of: AuthorizationsOf | { readonly userIds: readonly string[] },
): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => listAuthorizationIds(own, of, limit),
    perform: removeAuthorizationsById,
  });
}

/** Step: deletes role assignments by id. */
export async function removeAuthorizationsById(tx: Tx, authorizationIds: readonly string[]): Promise<void> {
  for (const authorization of await deleteAuthorizations(tx, authorizationIds)) {
    tx.record({
      type: "authorization.deleted",
      ...authorizationAggregate(authorization),
      sequence: authorization.details.sequence,
      payload: authorizationPayload(authorization),
    });
  }
}
