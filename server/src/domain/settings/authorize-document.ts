import { type Call, requirePermission } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { authorizeSettings } from "./authorize-settings.ts";
import { type SettingsKind, settingsKinds } from "./settings.ts";

/** Lets the caller pass who may change a document; of an organization, those that are for administrators of the instance only they. */
export async function authorizeDocument(
  reader: Reader,
  call: Call,
  { organizationId, kind }: { readonly organizationId: string; readonly kind: SettingsKind },
  verb: "write" | "delete",
): Promise<void> {
  if (settingsKinds[kind].isOfInstanceAdministrators === true) requirePermission(call, `iam.policy.${verb}`, {});
  await authorizeSettings(reader, call, organizationId, verb);
}
