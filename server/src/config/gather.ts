import { readFileSync } from "node:fs";
import { isRecord } from "../base/json.ts";
import { ConfigError } from "./config-error.ts";
import { fileKeyOf, type SettingName, settingNames, settings } from "./settings.ts";

/** The source of a value; the first source with a value wins. */
type Origin = "flag" | "environment" | "file" | "default";

/** A value as the operator wrote it. */
export interface Gathered {
  readonly text: string;
  readonly origin: Origin;
  /** How the operator spelled the setting: `--port`, `DOORWARD_PORT`, `port in doorward.yaml`. */
  readonly spelling: string;
}

export interface Sources {
  readonly flags: Readonly<Partial<Record<SettingName, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of the YAML file. */
  readonly file: string | undefined;
}

export type GatheredSettings = ReadonlyMap<SettingName, Gathered>;

/** Whether the operator chose the strict profile, which has defaults of its own. */
export const isStrictProfile = (gathered: GatheredSettings): boolean => gathered.get("profile")?.text === "strict";

/** Gathers the settings and their sources: flag > environment > file. Settings that are not set are absent. */
export async function gatherSettings(sources: Sources): Promise<GatheredSettings> {
  const file = sources.file === undefined ? {} : await readFile(sources.file);
  const gathered = new Map<SettingName, Gathered>();
  for (const name of settingNames) {
    const found = fromFlag(name, sources) ?? fromEnvironment(name, sources) ?? fromFile(name, file, sources.file ?? "");
    if (found !== undefined) gathered.set(name, found);
  }
  return gathered;
}

function fromFlag(name: SettingName, { flags }: Sources): Gathered | undefined {
  const text = flags[name];
  const spelling = `--${fileKeyOf(name).replaceAll("_", "-")}`;
  return text === undefined ? undefined : { text, origin: "flag", spelling };
}

function fromEnvironment(name: SettingName, { environment }: Sources): Gathered | undefined {
  const setting = settings[name];
  const text = environment[setting.environment];
  // `DOORWARD_PORT=` means "not set" in compose files and unit files.
  if (text !== undefined && (text !== "" || "mayBeEmpty" in setting)) {
    return { text, origin: "environment", spelling: setting.environment };
  }
  if (!("isSecret" in setting)) return undefined;
  const spelling = `${setting.environment}_FILE`;
  const path = environment[spelling];
  if (path === undefined || path === "") return undefined;
  try {
    return { text: readFileSync(path, "utf8").trim(), origin: "environment", spelling };
  } catch (cause) {
    throw new ConfigError(spelling, `names ${path}, which cannot be read`, "check the path and its permissions", cause);
  }
}

function fromFile(name: SettingName, file: Readonly<Record<string, unknown>>, path: string): Gathered | undefined {
  const key = fileKeyOf(name);
  const value = file[key];
  if (value === undefined || value === null) return undefined;
  const spelling = `${key} in ${path}`;
  if (Array.isArray(value)) return { text: value.join(","), origin: "file", spelling };
  if (typeof value === "object")
    throw new ConfigError(spelling, "is not a single value", "write text, a number or a list");
  return { text: String(value), origin: "file", spelling };
}

async function readFile(path: string): Promise<Record<string, unknown>> {
  // Loaded only for a settings file: it is as large as the rest of the settings code together.
  const { parse } = await import("yaml");
  let content: unknown;
  try {
    content = parse(readFileSync(path, "utf8")) ?? {};
  } catch (cause) {
    throw new ConfigError(
      "--config",
      `names ${path}, which is not a readable YAML file`,
      "check the path and its form",
      cause,
    );
  }
  if (!isRecord(content))
    throw new ConfigError("--config", `names ${path}, which has no settings`, "write `name: value` lines");
  const known = new Set(settingNames.map(fileKeyOf));
  const unknown = Object.keys(content).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw new ConfigError(`${unknown} in ${path}`, "is not a setting", "see `doorward config show` for their names");
  }
  return content;
}
