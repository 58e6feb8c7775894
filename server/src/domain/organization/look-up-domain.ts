import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOrganization } from "./organization.store.ts";
import type { Organization } from "./organization.ts";
import { findOwnerOfDomain } from "./organization-domain.store.ts";

/** Finds the organization that owns a domain, in the whole instance; the method itself requires the permission. */
export async function lookUpDomain(
  { database: { read } }: { readonly database: Database },
  { instanceId }: Call,
  domain: string,
): Promise<Organization> {
  const owner = await findOwnerOfDomain(read, instanceId, domain);
  const organization = owner === undefined ? undefined : await findOrganization(read, instanceId, owner);
  if (organization === undefined) throw new Fault("not_found", "organization.not_found", { field: "domain" });
  return organization;
}
