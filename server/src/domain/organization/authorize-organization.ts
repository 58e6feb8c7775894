import { authorize, type Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findOrganization } from "./organization.store.ts";
import type { Organization } from "./organization.ts";

/** Returns the organization if the caller has the permission there; throws otherwise. */
export async function authorizeOrganization(
  reader: Reader,
  call: Call,
  organizationId: string,
  permission: "org.read" | "org.write" | "org.delete",
): Promise<Organization> {
  const organization = await findOrganization(reader, call.instanceId, organizationId);
  authorize(call, organization, { permission, readPermission: "org.read", absent: "organization.not_found" });
  return organization;
}
