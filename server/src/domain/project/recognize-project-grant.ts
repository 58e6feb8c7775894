import { requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { markGrantRecognized } from "./project-grant.store.ts";
import type { ProjectGrant } from "./project-grant.ts";

/** The permission, in the organization that a project is lent to, to work with what it was lent. */
const permission = "user.grant.write";

/**
 * Step: recognizes a grant when the caller administers the organization that the project is lent to, or the instance,
 * and not merely an application that such a caller gave some rights, or imported data, which does not say who assigned
 * roles. Whom an organization trusts is not for strangers to say. The owner of a project grants it to any organization
 * without asking. So the grant alone says nothing about what that organization thinks of the project, and its users are
 * asked for consent until it is recognized (`authority`).
 */
export async function recognizeProjectGrant(tx: Tx, grant: ProjectGrant): Promise<void> {
  const { rights, importer } = requireCaller(tx.call);
  if (rights === undefined && importer === undefined && isGivenByRecipient(tx, grant)) {
    await markGrantRecognized(tx, grant.grantId);
  }
}

/** Whether the caller administers the organization that a project is lent to, or the instance. */
export function isGivenByRecipient(tx: Tx, grant: Pick<ProjectGrant, "grantedOrganizationId">): boolean {
  // Not in the scope of the grant: its administrators may be users of the owner.
  const organizationId = grant.grantedOrganizationId;
  return withoutLoginClient(requireCaller(tx.call).access).allows(permission, { organizationId });
}
