import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { authorizeSettings } from "./authorize-settings.ts";
import { deleteStoredSettings } from "./settings.store.ts";
import type { SettingsKind } from "./settings.ts";

/** Lets an organization follow its instance again. An organization that does already stays as it is. */
export function resetSettings(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly kind: SettingsKind; readonly organizationId: string },
): Promise<void> {
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, input.organizationId, "delete");
    if (!(await deleteStoredSettings(tx, input))) return;
    await recordOrganizationEvent(tx, input.organizationId, { type: `organization.${input.kind}_settings.reset` });
  });
}
