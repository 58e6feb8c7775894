import { authorize, requirePermission } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdOrganization, type Organization } from "../organization/index.ts";

/**
 * The organization in which the caller may make something, held. Everybody knows the own organization, so there the refusal says
 * that the permission is missing; another one stays hidden.
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
