import { authorize, type Call, requirePermission } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findOrganization, holdOrganizationFor } from "../organization/index.ts";

const absent = { readPermission: "org.read", absent: "organization.not_found" };

/** Authorizes callers who may read the providers of an organization, or of the instance when the id is empty. */
export async function authorizeReading(reader: Reader, call: Call, ownerOrganizationId: string): Promise<void> {
  if (ownerOrganizationId === "") return requirePermission(call, "iam.idp.read", {});
  const organization = await findOrganization(reader, call.instanceId, ownerOrganizationId);
  authorize(call, organization, { permission: "org.idp.read", ...absent });
}

/**
 * Authorizes callers who may change them. The organization is locked, so that its providers change one after the other,
 * and none is added once it is deleted.
 */
export async function authorizeWriting(tx: Tx, ownerOrganizationId: string): Promise<void> {
  if (ownerOrganizationId === "") return requirePermission(tx.call, "iam.idp.write", {});
  await holdOrganizationFor(tx, ownerOrganizationId, "org.idp.write");
}

/** Authorizes callers who may change them, without a lock: before what takes time, and is done before the change. */
export async function requireWriting(reader: Reader, call: Call, ownerOrganizationId: string): Promise<void> {
  if (ownerOrganizationId === "") return requirePermission(call, "iam.idp.write", {});
  const organization = await findOrganization(reader, call.instanceId, ownerOrganizationId);
  authorize(call, organization, { permission: "org.idp.write", ...absent });
}
