import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteMetadata } from "../metadata/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

/** Deletes metadata of an organization by key. Absent keys are accepted. */
export function deleteOrganizationMetadata(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly keys: readonly string[] },
): Promise<{ readonly deletedAt: number }> {
  return deps.database.change(call, async (tx) => {
    const { organizationId } = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    const keys = await deleteMetadata(tx, { type: "organization", id: organizationId }, input.keys);
    if (keys.length > 0) {
      await recordOrganizationEvent(tx, organizationId, { type: "organization.metadata.deleted", payload: { keys } });
    }
    return { deletedAt: tx.now };
  });
}
