import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdAuthorizationToDelete } from "./authorize-authorization.ts";
import { removeAuthorizationsById } from "./remove-authorizations.ts";

/** Deletes a role assignment. Deleting an absent one succeeds, and no time is returned. */
export async function deleteAuthorization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly authorizationId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    if ((await holdAuthorizationToDelete(tx, input.authorizationId)) === undefined) return {};
    await removeAuthorizationsById(tx, [input.authorizationId]);
    return { deletedAt: tx.now };
  });
}
