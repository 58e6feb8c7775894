export type { BootstrapConfig, Config, LogLevel } from "./config.ts";
export { ConfigError } from "./config-error.ts";
export { readEnvironment } from "./environment.ts";
export { findConfigErrors, findUnknownVariables } from "./find-config-errors.ts";
export { type Gathered, type GatheredSettings, gatherSettings, type Origin, type Sources } from "./gather.ts";
export { type LoadOptions, loadConfig } from "./load-config.ts";
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
