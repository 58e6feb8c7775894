import { addressKey } from "../../../base/names/address-key.ts";
import type { Call } from "../../../call/index.ts";
import { findOwnerOfDomain } from "../../../domain/organization/index.ts";
import type { PageDeps } from "../../deps.ts";

/**
 * Returns whether a name ends in a proven domain of an organization. Every other name that means one of its users may
 * mean another user elsewhere: its administrators make users with any name.
 */
export async function isInDomainOf(
  { database }: Pick<PageDeps, "database">,
  { instanceId }: Call,
  loginName: string,
  organizationId: string,
): Promise<boolean> {
  const key = addressKey(loginName);
  const at = key.lastIndexOf("@");
  return at >= 0 && (await findOwnerOfDomain(database.read, instanceId, key.slice(at + 1))) === organizationId;
}
