import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import type { Call } from "../../call/index.ts";
import { type Database, type Details, UniqueViolation } from "../../database/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { updateOrganizationName } from "./organization.store.ts";
import { organizationAggregate, parseOrganizationName } from "./organization.ts";

/** Renames an organization. Its domains stay as they are. Its current name is accepted and changes nothing. */
export async function updateOrganization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly name: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const organization = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    const wanted = parseOrganizationName(input.name);
    const name = { name: wanted, nameKey: canonicalName(wanted) };
    const updated = await updateOrganizationName(tx, input.organizationId, name).catch(refuseTakenName);
    if (updated === undefined) return organization.details;
    tx.record({
      type: "organization.updated",
      ...organizationAggregate(input.organizationId),
      sequence: updated.details.sequence,
      payload: { name: updated.name },
    });
    return updated.details;
  });
}

function refuseTakenName(error: unknown): never {
  if (error instanceof UniqueViolation) {
    throw new Fault("already_exists", "organization.name_taken", { field: "name", cause: error });
  }
  throw error;
}
