import { authorizeDeletion, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdProject } from "../project/index.ts";
import { findAuthorization, holdAuthorization } from "./authorization.store.ts";
import { authorizationAbsence, scopeOf } from "./authorization.ts";
import { removeAuthorizationsById } from "./remove-authorizations.ts";

/** Deletes a role assignment. Deleting an absent one succeeds, and no time is returned. */
export async function deleteAuthorization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly authorizationId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const found = await findAuthorization(tx, tx.instanceId, input.authorizationId);
    if (found !== undefined) await holdProject(tx, found.projectId, "share");
    const authorization = found && (await holdAuthorization(tx, input.authorizationId));
    const scope = authorization && scopeOf(authorization);
    const wanted = { permission: "user.grant.delete", ...authorizationAbsence };
    if (!authorizeDeletion(call, scope, wanted)) return {};
    await removeAuthorizationsById(tx, [input.authorizationId]);
    return { deletedAt: tx.now };
  });
}
