import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { clearSettings } from "../settings/index.ts";
import { deleteAssetsOfOrganization } from "./branding-asset.store.ts";

/** Lets an organization look like its instance again: its look, its draft and its files are gone. Undefined when it did already. */
export function resetBranding(
  deps: { readonly database: Database },
  call: Call,
  { organizationId }: { readonly organizationId: string },
): Promise<Details | undefined> {
  return deps.database.change(call, async (tx) => {
    const details = await clearSettings(tx, { kind: "branding", organizationId });
    if (details !== undefined) await deleteAssetsOfOrganization(tx, organizationId);
    return details;
  });
}
