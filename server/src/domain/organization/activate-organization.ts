import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeOrganization } from "./authorize-organization.ts";
import { updateOrganizationState } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";

/** Activates an organization. An active organization stays as it is. */
export function activateOrganization(
  deps: { readonly database: Database },
  call: Call,
  organizationId: string,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const organization = await authorizeOrganization(tx, call, organizationId, "org.write");
    const changed = await updateOrganizationState(tx, organizationId, "active");
    if (changed === undefined) return organization.details;
    tx.record({
      type: "organization.activated",
      ...organizationAggregate(organizationId),
      sequence: changed.details.sequence,
    });
    return changed.details;
  });
}
