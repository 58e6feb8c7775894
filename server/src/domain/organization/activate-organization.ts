import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { isLeftToInstance } from "./is-left-to-instance.ts";
import { updateOrganizationState } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";

/**
 * Activates an organization. An active organization stays as it is. Only administrators of the instance can activate
 * one that an administrator of the instance deactivated: otherwise the organization's administrators from other
 * organizations could undo it.
 */
export function activateOrganization(
  deps: { readonly database: Database },
  call: Call,
  organizationId: string,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const organization = await holdAuthorizedOrganization(tx, organizationId, "org.write");
    if (await isLeftToInstance(tx, organizationId)) {
      throw new Fault("permission_denied", "organization.deactivated_by_instance", { field: "organizationId" });
    }
    const changed = await updateOrganizationState(tx, organizationId, { state: "active", isByInstance: false });
    if (changed === undefined) return organization.details;
    tx.record({
      type: "organization.activated",
      ...organizationAggregate(organizationId),
      sequence: changed.details.sequence,
    });
    return changed.details;
  });
}
