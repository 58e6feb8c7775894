import type { Tx } from "../../database/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { putStoredSettings } from "./settings.store.ts";
import { settingsKinds } from "./settings.ts";

/**
 * Step: writes down the defaults for a new instance, so that a later version with other defaults does not change
 * instances that are in use.
 */
export async function createDefaultSettings(tx: Tx): Promise<void> {
  const defaults = Object.entries(settingsKinds).map(([kind, rules]) => [kind, rules.defaults] as const);
  const { sequence } = await recordInstanceEvent(tx, {
    type: "instance.settings.created",
    payload: Object.fromEntries(defaults),
  });
  for (const [kind, document] of defaults) {
    await putStoredSettings(tx, { organizationId: "", kind, document: JSON.stringify(document), sequence });
  }
}
