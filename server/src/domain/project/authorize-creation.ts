import { authorize, requirePermission } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdOrganization, type Organization } from "../organization/index.ts";

/**
 * Returns the organization, locked, if the caller may create something in it. Callers know their own organization, so
 * there the refusal names the missing permission; any other organization stays hidden.
 */
export async function authorizeCreation(tx: Tx, organizationId: string, permission: string): Promise<Organization> {
  const organization = await holdOrganization(tx, organizationId);
  if (organization !== undefined && tx.call.caller?.organizationId === organizationId) {
    requirePermission(tx.call, permission, { organizationId });
    return organization;
  }
  authorize(tx.call, organization, { permission, readPermission: "org.read", absent: "organization.not_found" });
  return organization;
}
