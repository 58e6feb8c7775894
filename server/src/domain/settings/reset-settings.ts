import type { Call } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { authorizeDocument, holdForSettings } from "./authorize-document.ts";
import { changeSettings, type WriteSettingsDeps } from "./change-settings.ts";
import { offeredKind } from "./offered.ts";
import { deleteStoredSettings } from "./settings.store.ts";
import { type SettingsKind, settingsKinds } from "./settings.ts";

/**
 * Lets an organization follow its instance again, or an instance (an empty id) the defaults. Returns no details when it
 * already does.
 */
export function resetSettings(
  deps: WriteSettingsDeps,
  call: Call,
  scope: { readonly kind: SettingsKind; readonly organizationId: string },
): Promise<Details | undefined> {
  return changeSettings(deps, call, scope, "delete", (tx) => clearSettings(tx, scope));
}

/** Step: deletes the document of a scope. Returns undefined when there was none. */
export async function clearSettings(
  tx: Tx,
  { kind, organizationId }: { readonly kind: SettingsKind; readonly organizationId: string },
): Promise<Details | undefined> {
  const verb = settingsKinds[kind].isOfInstanceAdministrators === true ? "write" : "delete";
  await authorizeDocument(tx, tx.call, { organizationId, kind }, verb);
  if (organizationId !== "") await holdForSettings(tx, organizationId);
  const isOwn = await deleteStoredSettings(tx, { organizationId, kind });
  const isOffering = kind === "login" && (await deleteStoredSettings(tx, { organizationId, kind: offeredKind }));
  if (!isOwn && !isOffering) return undefined;
  return organizationId === ""
    ? recordInstanceEvent(tx, { type: `instance.${kind}_settings.reset` })
    : recordOrganizationEvent(tx, organizationId, { type: `organization.${kind}_settings.reset` });
}
