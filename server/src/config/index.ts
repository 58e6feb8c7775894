export type { Config } from "./config.ts";
export { ConfigError } from "./config-error.ts";
export { readEnvironment } from "./environment.ts";
export { findConfigErrors, findUnknownVariables } from "./find-config-errors.ts";
export { type GatheredSettings, gatherSettings, isStrictProfile } from "./gather.ts";
export { loadConfig } from "./load-config.ts";
export {
  fallbackText,
  fallbackValue,
  fileKeyOf,
  flagOf,
  type Setting,
  type SettingName,
  settingNames,
  settings,
} from "./settings.ts";
