import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type MetadataEntry, setMetadata } from "../metadata/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

/** Sets metadata of an organization. Values that are stored already change nothing. */
export function setOrganizationMetadata(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly entries: readonly MetadataEntry[] },
): Promise<{ readonly setAt: number }> {
  return deps.database.change(call, async (tx) => {
    // Held, so that concurrent changes see each other's size.
    const { organizationId } = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    const keys = await setMetadata(tx, { type: "organization", id: organizationId }, input.entries);
    if (keys.length > 0) {
      await recordOrganizationEvent(tx, organizationId, { type: "organization.metadata.set", payload: { keys } });
    }
    return { setAt: tx.now };
  });
}
