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
import { printable, printableJson } from "./printable.ts";

/** Settings that select the data of a command. */
export const dataSettings = ["dataDirectory", "logLevel", "logFormat"] as const satisfies SettingName[];

/**
 * Adds the options that every command has: `--json`, the file of settings, and one flag for each of the relevant
 * settings.
 */
export function addCommonOptions(command: Command, names: readonly SettingName[] = settingNames): Command {
  command.option("--json", "answer as JSON on one line").optionsGroup("Settings:");
  command.option("--config <file>", "YAML file with settings");
  for (const name of names) {
    // Secrets have no flag: command lines are visible to every user of the machine.
    if ("isSecret" in settings[name]) continue;
    command.option(`--${flagOf(name)} <value>`, `${settings[name].description} (${fallbackText(name)})`);
  }
  return command.optionsGroup("");
}

/** Adds examples to the end of a command's help. */
export function addExamples(
  command: Command,
  ...examples: readonly (readonly [line: string, does: string])[]
): Command {
  const lines = examples.map(([line, does]) => `  # ${does}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Gathers the settings of this run, and where each comes from. */
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

/** Reads and checks the configuration of this run. */
export async function readConfig(command: Command, mode: Config["mode"]): Promise<Config> {
  return loadConfig(await gather(command), { mode, isTerminal: process.stderr.isTTY === true });
}

export const isJson = (command: Command): boolean => command.opts<{ json?: boolean }>().json === true;

/** Prints the result of the command. */
export function answer(command: Command, json: object, text: string): void {
  process.stdout.write(isJson(command) ? printableJson(json) : `${printable(text)}\n`);
}

/** Prints a message to the user that is not part of the result. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
