import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { parseDomain } from "../../base/names/host.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { isOrganizationNameTaken } from "./organization.store.ts";
import { findOwnerOfDomain } from "./organization-domain.store.ts";

/** Whether an organization could be created with this name and domain; empty values are not checked. */
export async function isOrganizationUnique(
  deps: { readonly database: Database },
  call: Call,
  { name, domain }: { readonly name: string; readonly domain: string },
): Promise<boolean> {
  requirePermission(call, "iam.read", {});
  if (name.trim() === "" && domain === "") {
    throw new Fault("invalid_argument", "organization.name_or_domain_missing", { field: "name" });
  }
  const { read } = deps.database;
  if (name.trim() !== "" && (await isOrganizationNameTaken(read, call.instanceId, canonicalName(name)))) return false;
  if (domain === "") return true;
  const parsed = parseDomain(domain);
  if (parsed === undefined) throw new Fault("invalid_argument", "organization.domain_invalid", { field: "domain" });
  return (await findOwnerOfDomain(read, call.instanceId, parsed)) === undefined;
}
