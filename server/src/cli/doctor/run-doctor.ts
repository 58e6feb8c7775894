import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import { type Clock, systemClock } from "../../base/clock.ts";
import {
  type Config,
  findConfigErrors,
  type GatheredSettings,
  loadConfig,
  readEnvironment,
} from "../../config/index.ts";
import { answer, gather } from "../command-context.ts";
import { ReportedFailure } from "../reported-failure.ts";
import { checkBaseUrl } from "./check-base-url.ts";
import { checkData } from "./check-data.ts";
import { checkDatabase } from "./check-database.ts";
import { checkFiles } from "./check-files.ts";
import { checkHardening } from "./check-hardening.ts";
import { checkPort } from "./check-port.ts";
import { checkProcess, checkVariables } from "./check-process.ts";
import { checkWisdom } from "./check-wisdom.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Runs every check, prints the findings, and fails when something is wrong. */
export async function runDoctor(command: Command): Promise<void> {
  const gathered = await gather(command);
  const mode = chooseMode(command, gathered);
  const findings = [
    ...checkProcess(mode),
    ...checkVariables(readEnvironment()),
    ...(await checkSettings(gathered, {
      mode,
      isHardening: command.opts<{ hardening?: boolean }>().hardening === true,
    })),
  ];
  const count = (level: Finding["level"]): number => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const verdict = errors === 0 ? "Nothing is wrong" : `${errors} of these must be fixed`;
  const lines = [
    ...findings.map(toText),
    "",
    `${verdict}; ${warnings} warning${warnings === 1 ? "" : "s"}. Checked as for ${mode}.`,
  ];
  answer(command, { ok: errors === 0, mode, findings }, lines.join("\n"));
  if (errors > 0) throw new ReportedFailure(1);
}

function chooseMode(command: Command, gathered: GatheredSettings): Config["mode"] {
  const { dev, production } = command.opts<{ dev?: boolean; production?: boolean }>();
  if (dev === true) return "dev";
  const isLikeProduction = gathered.has("baseUrl") || gathered.has("masterKey") || gathered.has("databaseUrl");
  return production === true || isLikeProduction ? "start" : "dev";
}

interface Extent {
  readonly mode: Config["mode"];
  /** Whether everything is compared with the strict values as well. */
  readonly isHardening: boolean;
}

async function checkSettings(gathered: GatheredSettings, { mode, isHardening }: Extent): Promise<Finding[]> {
  const options = { mode, isTerminal: false };
  const { ok, error } = findingsOf("settings");
  const errors = findConfigErrors(gathered, options).map(({ setting, problem, fix }) =>
    error(`${setting} ${problem}`, setting, fix),
  );
  // The other checks would examine settings that the operator did not intend.
  if (errors.length > 0) return errors;
  const surroundings = await checkSurroundings(loadConfig(gathered, options), systemClock, isHardening);
  return [ok("they can be used together"), ...surroundings];
}

async function checkSurroundings(config: Config, clock: Clock, isHardening: boolean): Promise<Finding[]> {
  const { finding: port, isRunning } = await checkPort(config);
  const { findings: database, inspection } = await checkDatabase(config, clock);
  try {
    return [
      ...checkWisdom(config),
      ...(await checkFiles(config)),
      port,
      await checkBaseUrl(config, isRunning),
      ...database,
      ...(inspection === undefined ? [] : await checkData(config, inspection, clock)),
      ...(isHardening ? await checkHardening(config, inspection, clock) : []),
    ];
  } finally {
    await inspection?.close();
  }
}

const marks = { ok: "✓", warning: "!", error: "✗" } as const;
const colours = { ok: "green", warning: "yellow", error: "red" } as const;

function toText({ check, level, message, setting, fix }: Finding): string {
  const mark = styleText(colours[level], marks[level], { stream: process.stdout });
  const line = `${mark} ${check.padEnd(13)} ${message}`;
  if (fix === undefined) return line;
  const named = setting === undefined || message.includes(setting) ? "" : `${setting}: `;
  return `${line}\n${" ".repeat(16)}→ ${named}${fix}`;
}
