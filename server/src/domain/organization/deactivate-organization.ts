import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { authorizeFound, holdAuthorizedOrganization, writesEveryOrganization } from "./authorize-organization.ts";
import { updateOrganizationState } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";

export interface DeactivateOrganizationDeps {
  readonly database: Database;
  /** Step of the membership module: refuses to end the home of administrators who may do more than the caller. */
  readonly refuseEndOfHome: (tx: Tx, organizationId: string) => Promise<void>;
}

/**
 * Deactivates an organization: its users and its applications stop working until it is activated again. The default
 * organization stays active, because an instance without administrators who can sign in could not be repaired. An
 * organization in which administrators of the instance are at home is deactivated only by administrators with at least
 * their permissions. It also takes the right to delete it: all its owners are locked out, which a manager of its
 * settings could not do to one of them.
 */
export function deactivateOrganization(
  deps: DeactivateOrganizationDeps,
  call: Call,
  organizationId: string,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const organization = await holdAuthorizedOrganization(tx, organizationId, "org.write");
    const instance = await findInstance(tx, tx.instanceId);
    if (instance?.defaultOrganizationId === organizationId) {
      throw new Fault("failed_precondition", "organization.is_default", { field: "organizationId" });
    }
    await deps.refuseEndOfHome(tx, organizationId);
    authorizeFound(call, organization, "org.delete");
    const isByInstance = writesEveryOrganization(call);
    const changed = await updateOrganizationState(tx, organizationId, { state: "inactive", isByInstance });
    if (changed === undefined) return organization.details;
    tx.record({
      type: "organization.deactivated",
      ...organizationAggregate(organizationId),
      sequence: changed.details.sequence,
    });
    return changed.details;
  });
}
