import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { holdOrganization } from "../organization/index.ts";
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

/**
 * Step: has the organization alone, whose settings a unit of work is about to change. Before its documents and
 * providers, as where providers change, so that the two do not wait for each other.
 */
export async function holdForSettings(tx: Tx, organizationId: string): Promise<void> {
  if ((await holdOrganization(tx, organizationId, "alone")) === undefined) {
    throw new Fault("not_found", "organization.not_found", { field: "organizationId" });
  }
}
