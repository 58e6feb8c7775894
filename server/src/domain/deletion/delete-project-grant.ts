import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { removeMembershipsOf } from "../membership/index.ts";
import {
  authorizeProjectGrant,
  type ProjectGrant,
  type ProjectGrantReference,
  removeProjectGrant,
} from "../project/index.ts";

/**
 * Deletes a project grant with the role assignments over it. Deleting an absent one succeeds and returns no
 * time.
 */
export async function deleteProjectGrant(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectGrantReference,
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const { grant } = await authorizeProjectGrant(tx, input, "project.grant.delete");
    if (grant === undefined) return {};
    await discardProjectGrant(tx, grant);
    return { deletedAt: tx.now };
  });
}

/** Step: deletes a grant with its role assignments and administrators. The grant's project is locked exclusively. */
export async function discardProjectGrant(tx: Tx, grant: ProjectGrant): Promise<void> {
  const { grantId, organizationId } = grant;
  await removeAuthorizations(tx, { projectGrantId: grantId });
  await removeMembershipsOf(tx, { level: "project_grant", resourceId: grantId, ownerId: organizationId });
  await removeProjectGrant(tx, grant);
}
