import process from "node:process";
import type { Command } from "commander";
import {
  type Config,
  fallbackText,
  flagOf,
  type GatheredSettings,
  gatherSettings,
  loadConfig,
  readEnvironment,
  type SettingName,
  settingNames,
  settings,
} from "../config/index.ts";

/** Settings that say which data a command is about. */
export const placeSettings = ["dataDirectory", "logLevel", "logFormat"] as const satisfies SettingName[];

/** Options that every command has: `--json`, the file of settings, and one flag for each of the settings that matter to it. */
export function addCommonOptions(command: Command, names: readonly SettingName[] = settingNames): Command {
  command.option("--json", "answer as JSON on one line").optionsGroup("Settings:");
  command.option("--config <file>", "YAML file with settings");
  for (const name of names) {
    // Secrets have no flag: command lines are seen by everybody on the machine.
    if ("isSecret" in settings[name]) continue;
    command.option(`--${flagOf(name)} <value>`, `${settings[name].description} (${fallbackText(name)})`);
  }
  return command.optionsGroup("");
}

/** Examples at the end of a command's help. */
export function addExamples(
  command: Command,
  ...examples: readonly (readonly [line: string, does: string])[]
): Command {
  const lines = examples.map(([line, does]) => `  # ${does}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** What was decided for this run, and by whom. */
export function gather(command: Command): Promise<GatheredSettings> {
  const options = command.opts<Record<string, unknown>>();
  const flags: Partial<Record<SettingName, string>> = {};
  for (const name of settingNames) {
    const value = options[camelCase(flagOf(name))];
    if (typeof value === "string") flags[name] = value;
  }
  const file = typeof options["config"] === "string" ? options["config"] : undefined;
  return gatherSettings({ flags, environment: readEnvironment(), file });
}

/** The checked configuration of this run. */
export async function readConfig(command: Command, mode: Config["mode"]): Promise<Config> {
  return loadConfig(await gather(command), { mode, isTerminal: process.stderr.isTTY === true });
}

export const isJson = (command: Command): boolean => command.opts<{ json?: boolean }>().json === true;

/** Writes what the command was asked for. */
export function answer(command: Command, json: object, text: string): void {
  process.stdout.write(isJson(command) ? `${JSON.stringify(json)}\n` : `${text}\n`);
}

/** Tells the person at the terminal something that is not the answer. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
