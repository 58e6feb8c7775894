import { authorize, type Call, requirePermission } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findOrganization, holdOrganization } from "../organization/index.ts";

const absent = { readPermission: "org.read", absent: "organization.not_found" };

/** Lets the caller pass who may know the providers of an organization, or of the instance when the id is empty. */
export async function authorizeReading(reader: Reader, call: Call, ownerOrganizationId: string): Promise<void> {
  if (ownerOrganizationId === "") return requirePermission(call, "iam.idp.read", {});
  const organization = await findOrganization(reader, call.instanceId, ownerOrganizationId);
  authorize(call, organization, { permission: "org.idp.read", ...absent });
}

/** The same for who may change them. The organization is held, so that its providers change one after the other, and none after it is gone. */
export async function authorizeWriting(tx: Tx, ownerOrganizationId: string): Promise<void> {
  if (ownerOrganizationId === "") return requirePermission(tx.call, "iam.idp.write", {});
  const organization = await holdOrganization(tx, ownerOrganizationId, "alone");
  authorize(tx.call, organization, { permission: "org.idp.write", ...absent });
}
