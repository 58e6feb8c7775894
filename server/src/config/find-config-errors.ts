import { ConfigError } from "./config-error.ts";
import type { Gathered, GatheredSettings } from "./gather.ts";
import { type LoadOptions, loadConfig } from "./load-config.ts";
import { type Setting, type SettingName, settingNames, settings } from "./settings.ts";

/** Finds all errors in the settings: `loadConfig` stops at the first, but operators want to fix all of them. */
export function findConfigErrors(gathered: GatheredSettings, options: LoadOptions): ConfigError[] {
  const errors: ConfigError[] = [];
  const mended = new Map<SettingName, Gathered>(gathered);
  const seen = new Set<SettingName>();
  for (;;) {
    try {
      loadConfig(mended, options);
      return errors;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      errors.push(error);
      const name = settingNames.find((each) => spellingOf(each, mended) === error.setting);
      if (name === undefined || seen.has(name)) return errors;
      seen.add(name);
      mend(mended, name);
    }
  }
}

/** Finds variables that look like our settings but are unknown: most likely misspelled. */
export function findUnknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>(alsoOurs);
  for (const name of settingNames) {
    const { environment: variable, isSecret }: Setting = settings[name];
    known.add(variable);
    if (isSecret === true) known.add(`${variable}_FILE`);
  }
  return Object.keys(environment).filter(
    (name) => name.startsWith("DOORWARD_") && !name.startsWith("DOORWARD_TEST_") && !known.has(name),
  );
}

/** Variables that commands and tests read, and that do not configure a server. */
const alsoOurs = ["DOORWARD_TOKEN", "DOORWARD_TOKEN_FILE", "DOORWARD_CHROMIUM"];

const spellingOf = (name: SettingName, gathered: GatheredSettings): string =>
  gathered.get(name)?.spelling ?? settings[name].environment;

// Valid values, so that the next check can run.
const samples: Partial<Record<SettingName, string>> = {
  baseUrl: "https://id.example.com",
  databaseUrl: "postgres://database.example.com/doorward",
  masterKey: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
  bootstrapAdminUsername: "admin",
  bootstrapAdminPassword: "sample",
};

function mend(gathered: Map<SettingName, Gathered>, name: SettingName): void {
  const text = samples[name];
  if (text === undefined) gathered.delete(name);
  else gathered.set(name, { text, origin: "default", spelling: spellingOf(name, gathered) });
}
