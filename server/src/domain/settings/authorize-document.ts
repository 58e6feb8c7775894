import { type Call, requirePermission } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { authorizeSettings } from "./authorize-settings.ts";
import { type SettingsKind, settingsKinds } from "./settings.ts";

/**
 * Refuses callers who may not change a document. Some documents of organizations only administrators of the instance
 * may change.
 */
export async function authorizeDocument(
  reader: Reader,
  call: Call,
  { organizationId, kind }: { readonly organizationId: string; readonly kind: SettingsKind },
  verb: "write" | "delete",
): Promise<void> {
  if (settingsKinds[kind].isOfInstanceAdministrators === true) requirePermission(call, `iam.policy.${verb}`, {});
  await authorizeSettings(reader, call, organizationId, verb);
}
