import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdProject } from "../project/index.ts";
import { holdAuthorizations, listAuthorizationsById } from "./authorization.store.ts";
import { authorizationAbsence, scopeOf } from "./authorization.ts";
import { removeAuthorizationsById } from "./remove-authorizations.ts";

/**
 * Deletes role assignments of one organization, all or none. Rejects the call when one of them is absent or of another
 * organization.
 */
export async function deleteAuthorizationsOfOrganization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly authorizationIds: readonly string[] },
): Promise<void> {
  const authorizationIds = [...new Set(input.authorizationIds)];
  if (authorizationIds.length === 0) return;
  await deps.database.change(call, async (tx) => {
    // The projects are locked first and in a fixed order, as in every operation that changes roles, so that none of
    // them deadlock.
    const found = await listAuthorizationsById(tx, tx.instanceId, authorizationIds);
    const projectIds = [...new Set(found.map(({ projectId }) => projectId))].sort();
    for (const projectId of projectIds) await holdProject(tx, projectId, "share");
    const held = new Map((await holdAuthorizations(tx, authorizationIds)).map((one) => [one.authorizationId, one]));
    for (const authorizationId of authorizationIds) {
      const authorization = held.get(authorizationId);
      const isThere = authorization !== undefined && authorization.organizationId === input.organizationId;
      const scope = isThere ? scopeOf(authorization) : undefined;
      authorize(call, scope, { permission: "user.grant.delete", ...authorizationAbsence });
    }
    await removeAuthorizationsById(tx, authorizationIds);
  });
}
