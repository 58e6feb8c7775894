import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { changeSettings, type WriteSettingsDeps } from "./change-settings.ts";
import type { SettingsDocuments, SettingsKind } from "./settings.ts";
import { writeSettings } from "./write-settings.ts";

export interface SetSettings<Kind extends SettingsKind> {
  readonly kind: Kind;
  /** The organization that is to differ from its instance; the instance itself when absent. */
  readonly organizationId?: string;
  /** The whole document: the previous one is discarded. */
  readonly settings: SettingsDocuments[Kind];
}

/** Replaces settings of the instance or of an organization. An identical document changes nothing. */
export function setSettings<Kind extends SettingsKind>(
  deps: WriteSettingsDeps,
  call: Call,
  { settings, ...scope }: SetSettings<Kind>,
): Promise<Details> {
  return changeSettings(deps, call, scope, "write", (tx) => writeSettings(tx, { ...scope, change: () => settings }));
}
