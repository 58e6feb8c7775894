import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { shareProjects } from "../project/index.ts";
import { holdAuthorizations, listAuthorizationsById } from "./authorization.store.ts";
import { type Authorization, authorizationAbsence, scopeOf } from "./authorization.ts";
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
  const requireOwn = (found: readonly Authorization[]): void => {
    const ids = new Map(found.map((one) => [one.authorizationId, one]));
    for (const authorizationId of authorizationIds) {
      const authorization = ids.get(authorizationId);
      const isThere = authorization !== undefined && authorization.organizationId === input.organizationId;
      const scope = isThere ? scopeOf(authorization) : undefined;
      authorize(call, scope, { permission: "user.grant.delete", ...authorizationAbsence });
    }
  };
  await deps.database.change(call, async (tx) => {
    // The projects are locked first and in a fixed order, as in every operation that changes roles, so that none of
    // them deadlock.
    const found = await listAuthorizationsById(tx, tx.instanceId, authorizationIds);
    // Before anything is held: whose projects these are is not up to the caller.
    requireOwn(found);
    await shareProjects(
      tx,
      found.map(({ projectId }) => projectId),
    );
    requireOwn(await holdAuthorizations(tx, authorizationIds));
    await removeAuthorizationsById(tx, authorizationIds);
  });
}
