import process from "node:process";
import { Command, CommanderError } from "commander";
import { version } from "../base/version.ts";
import { addAdminCommands } from "./admin/admin.ts";
import { addAppCommands } from "./app/app.ts";
import { addConfigCommands } from "./config.ts";
import { addDoctorCommand } from "./doctor/doctor.ts";
import { addLoginCommands } from "./login/login.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addOrganizationCommands } from "./org/org.ts";
import { printable, printableJson } from "./printable.ts";
import { ReportedFailure } from "./reported-failure.ts";
import { addDevCommand } from "./serve/dev.ts";
import { addStartCommand } from "./serve/start.ts";
import { addTokenCommand } from "./token/token.ts";
import { addTransferCommands } from "./transfer/transfer.ts";
import { addUserCommands } from "./user/user.ts";

/** Creates the command line: every command with its options and help. The code of a command is loaded when it runs. */
export function createProgram(): Command {
  const program = new Command("doorward")
    .description("Identity and access management in one process")
    .version(version)
    .addHelpText("after", "\nExit codes: 0 ok, 1 failed, 2 wrong usage or settings.");
  addDevCommand(program);
  addStartCommand(program);
  addMigrateCommand(program);
  addDoctorCommand(program);
  addAdminCommands(program);
  addTransferCommands(program);
  addLoginCommands(program);
  addAppCommands(program);
  addTokenCommand(program);
  addUserCommands(program);
  addOrganizationCommands(program);
  addConfigCommands(program);
  for (const command of [program, ...allCommands(program)]) command.exitOverride().showHelpAfterError("(see --help)");
  return program;
}

/** Runs the command in the arguments. Returns the exit code: 0 ok, 1 failed, 2 wrong usage. */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return await report(error, args.includes("--json"));
  }
}

/** Returns every command below a command, in the order of the help. */
function allCommands(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...allCommands(inner)]);
}

async function report(error: unknown, isJson: boolean): Promise<number> {
  // commander has printed the problem, or the requested help.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (isJson) process.stdout.write(printableJson({ error: { problem: error.message } }));
    return 2;
  }
  if (error instanceof ReportedFailure) return error.exitCode;
  const { explain } = await import("./explain.ts");
  const { problem, setting, fix, exitCode } = explain(error);
  if (isJson) process.stdout.write(printableJson({ error: { problem, setting, fix } }));
  process.stderr.write(printable(`doorward: ${problem}\n`));
  if (fix !== undefined)
    process.stderr.write(printable(`  ${isNamed(setting, problem) ? "" : `${setting}: `}${fix}\n`));
  return exitCode;
}

const isNamed = (setting: string | undefined, problem: string): boolean =>
  setting === undefined || problem.includes(setting);
