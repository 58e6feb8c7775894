import { authorize, type Call, holdForCaller, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findOrganization, holdOrganization } from "./organization.store.ts";
import type { Organization } from "./organization.ts";

type Permission = "org.read" | "org.write" | "org.delete";

/** Returns the organization if the caller has the permission there; throws otherwise. */
export async function authorizeOrganization(
  reader: Reader,
  call: Call,
  organizationId: string,
  permission: Permission,
): Promise<Organization> {
  const organization = await findOrganization(reader, call.instanceId, organizationId);
  authorizeFound(call, organization, permission);
  return organization;
}

/**
 * Step: the same for a unit of work that changes the organization: it has it alone before it asks for anything, so what
 * it reads stays true until it ends. An organization that is being deleted is absent. Callers without the permission
 * keep no others waiting.
 */
export async function holdAuthorizedOrganization(
  tx: Tx,
  organizationId: string,
  permission: Permission,
): Promise<Organization> {
  const mayHold = requireCaller(tx.call).access.allows(permission, { organizationId });
  if (!mayHold) return authorizeOrganization(tx, tx.call, organizationId, permission);
  const organization = await holdOrganization(tx, organizationId, "alone");
  authorizeFound(tx.call, organization, permission);
  return organization;
}

/** Step: the same for what belongs to an organization, and has permissions of its own. */
export async function holdOrganizationFor(tx: Tx, organizationId: string, permission: string): Promise<Organization> {
  const judge = (organization: Organization | undefined): Organization => {
    authorize(tx.call, organization, { permission, readPermission: "org.read", absent: "organization.not_found" });
    return organization;
  };
  const holdable = {
    find: () => findOrganization(tx, tx.instanceId, organizationId),
    hold: () => holdOrganization(tx, organizationId, "alone"),
  };
  return holdForCaller(tx.call, permission, holdable, judge);
}

/** Requires another permission in an organization that was found. */
export function authorizeFound(
  call: Call,
  organization: Organization | undefined,
  permission: Permission,
): asserts organization is Organization {
  authorize(call, organization, { permission, readPermission: "org.read", absent: "organization.not_found" });
}

/** Whether the caller acts for the instance, and not for one organization. */
export const writesEveryOrganization = (call: Call): boolean =>
  withoutLoginClient(requireCaller(call).access).allows("org.write", {});
