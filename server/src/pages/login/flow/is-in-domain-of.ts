import { addressKey } from "../../../base/names/address-key.ts";
import type { Call } from "../../../call/index.ts";
import { findOwnerOfDomain } from "../../../domain/organization/index.ts";
import type { PageDeps } from "../../deps.ts";
import { isNameOfLink, type NamedVisit } from "./is-of-application.ts";

/**
 * Returns whether the user entered a name that ends in a proven domain of an organization. Every other name that means
 * one of its users may mean another user elsewhere: its administrators make users with any name.
 */
export async function isInDomainOf(
  deps: PageDeps,
  call: Call,
  visit: NamedVisit,
  organizationId: string,
): Promise<boolean> {
  const key = addressKey(visit.signIn.loginName);
  const at = key.lastIndexOf("@");
  if (at < 0 || (await isNameOfLink(deps, call, visit, organizationId))) return false;
  return (await findOwnerOfDomain(deps.database.read, call.instanceId, key.slice(at + 1))) === organizationId;
}
