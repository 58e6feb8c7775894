import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { setInstanceDefault } from "../instance/index.ts";
import { holdOrganization } from "./organization.store.ts";

/**
 * Makes an organization the default for users and requests without one. It must be active, and cannot be deleted while
 * it is the default.
 */
export function setDefaultOrganization(
  deps: { readonly database: Database },
  call: Call,
  { organizationId }: { readonly organizationId: string },
): Promise<Details> {
  requirePermission(call, "iam.write", {});
  return deps.database.change(call, async (tx) => {
    const organization = await holdOrganization(tx, organizationId);
    if (organization === undefined) throw new Fault("not_found", "organization.not_found", { field: "orgId" });
    if (organization.state !== "active")
      throw new Fault("failed_precondition", "organization.not_active", { field: "orgId" });
    return setInstanceDefault(tx, { organizationId });
  });
}
