import { authorize, type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
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

/** Whether the caller acts for the instance, and not for one organization. */
export const writesEveryOrganization = (call: Call): boolean =>
  withoutLoginClient(requireCaller(call).access).allows("org.write", {});
