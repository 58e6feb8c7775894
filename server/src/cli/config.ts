import process from "node:process";
import type { Command } from "commander";
import {
  type Config,
  fallbackValue,
  findConfigErrors,
  findUnknownVariables,
  type GatheredSettings,
  isStrictProfile,
  readEnvironment,
  type SettingName,
  settingNames,
  settings,
} from "../config/index.ts";
import { addCommonOptions, addExamples, answer, gather, isJson, tell } from "./command-context.ts";
import { ReportedFailure } from "./reported-failure.ts";

/** `config show` and `config check`: the settings. */
export function addConfigCommands(program: Command): void {
  const config = program.command("config").description("show and check the settings");
  const forDev = ["--dev", "as `dev` sees them; otherwise as `start` does"] as const;
  addExamples(
    addCommonOptions(config.command("show").option(...forDev))
      .description("show the effective settings, and where each comes from; secrets are masked")
      .action((_options: unknown, command: Command) => showConfig(command)),
    ["doorward config show --dev", "what `doorward dev` would run with"],
    ["doorward config show --config doorward.yaml --json", "for programs"],
  );
  addExamples(
    addCommonOptions(config.command("check").option(...forDev))
      .description("report everything that is wrong with the settings, without starting anything")
      .action((_options: unknown, command: Command) => checkConfig(command)),
    ["doorward config check --config doorward.yaml", "before a restart"],
  );
}

const modeOf = (command: Command): Config["mode"] => (command.opts<{ dev?: boolean }>().dev === true ? "dev" : "start");

async function showConfig(command: Command): Promise<void> {
  const gathered = await gather(command);
  const rows = settingNames.map((name) => describe(name, gathered, modeOf(command)));
  const width = Math.max(...rows.map(({ setting }) => setting.length));
  const lines = rows.map(({ setting, value, origin }) => `${setting.padEnd(width)}  ${value ?? "–"}  (${origin})`);
  answer(command, { settings: rows }, lines.join("\n"));
}

function describe(name: SettingName, gathered: GatheredSettings, mode: Config["mode"]) {
  const { environment } = settings[name];
  const found = gathered.get(name);
  if (found === undefined) {
    return { setting: environment, value: defaultOf(name, gathered, mode), origin: "default" };
  }
  const value = "isSecret" in settings[name] ? "[secret]" : found.text;
  return { setting: environment, value, origin: found.origin === "environment" ? found.spelling : found.origin };
}

function defaultOf(name: SettingName, gathered: GatheredSettings, mode: Config["mode"]): string | null {
  const circumstances = { mode, isStrict: isStrictProfile(gathered) };
  if (name === "baseUrl" && mode === "dev") {
    return `http://localhost:${gathered.get("port")?.text ?? fallbackValue("port", circumstances)}`;
  }
  if (name === "logFormat") return process.stderr.isTTY === true ? "pretty" : "json";
  return fallbackValue(name, circumstances) ?? null;
}

async function checkConfig(command: Command): Promise<void> {
  const errors = findConfigErrors(await gather(command), { mode: modeOf(command), isTerminal: false });
  const unknown = findUnknownVariables(readEnvironment());
  const problems = errors.map(({ setting, problem, fix }) => ({ setting, problem, fix }));
  for (const name of unknown)
    tell(`doorward: ${name} is set but is not a setting: doorward config show lists the settings`);
  if (problems.length === 0) {
    answer(command, { ok: true, unknown }, "The settings are fine.");
    return;
  }
  if (isJson(command)) answer(command, { ok: false, problems, unknown }, "");
  for (const error of errors) tell(`doorward: ${error.message}`);
  throw new ReportedFailure(2);
}
