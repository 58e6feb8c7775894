import { authorize, type Call, requirePermission } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";

/**
 * Refuses callers who may not do this with the settings of an organization, or of the instance when the id is empty.
 */
export async function authorizeSettings(
  reader: Reader,
  call: Call,
  organizationId: string,
  verb: "read" | "write" | "delete",
): Promise<void> {
  if (organizationId === "") return requirePermission(call, `iam.policy.${verb}`, {});
  const organization = await findOrganization(reader, call.instanceId, organizationId);
  authorize(call, organization, {
    permission: `policy.${verb}`,
    readPermission: "org.read",
    absent: "organization.not_found",
  });
}
