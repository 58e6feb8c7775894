import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { changeSettings, type WriteSettingsDeps } from "./change-settings.ts";
import type { SettingsKind } from "./settings.ts";
import { type SettingsChange, writeSettings } from "./write-settings.ts";

/**
 * Changes a part of the settings of the instance or of an organization, for callers who know only that part. What they
 * do not name stays, even when another caller changes it at the same moment.
 */
export function updateSettings<Kind extends SettingsKind>(
  deps: WriteSettingsDeps,
  call: Call,
  input: SettingsChange<Kind>,
): Promise<Details> {
  return changeSettings(deps, call, input, "write", (tx) => writeSettings(tx, input));
}
