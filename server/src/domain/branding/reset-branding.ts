import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { clearSettings } from "../settings/index.ts";
import { deleteAssetsOfOrganization } from "./branding-asset.store.ts";

/**
 * Makes an organization inherit the look of its instance: removes its own look, draft and files. Undefined when it
 * inherited already.
 */
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
