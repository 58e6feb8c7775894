import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeOrganization } from "./authorize-organization.ts";
import { deleteOrganizationDomain } from "./organization-domain.store.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

/**
 * Removes a domain of an organization, except the primary one. Removing an absent domain is accepted: then no instant
 * is returned.
 */
export function removeOrganizationDomain(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<{ readonly removedAt?: number }> {
  const domain = parseDomain(input.domain) ?? "";
  return deps.database.change(call, async (tx) => {
    const organization = await authorizeOrganization(tx, call, input.organizationId, "org.write");
    if (organization.primaryDomain === domain) {
      throw new Fault("failed_precondition", "organization.domain_is_primary", { field: "domain" });
    }
    if (!(await deleteOrganizationDomain(tx, input.organizationId, domain))) return {};
    await recordOrganizationEvent(tx, input.organizationId, {
      type: "organization.domain.removed",
      payload: { domain },
    });
    return { removedAt: tx.now };
  });
}
