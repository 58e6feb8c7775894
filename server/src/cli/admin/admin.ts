import type { Command } from "commander";
import { addCommonOptions, addExamples, placeSettings } from "../command-context.ts";

/** `admin create`, `admin recover`, `admin setup-link`: for operators with access to the host and its data. */
export function addAdminCommands(program: Command): void {
  const admin = program
    .command("admin")
    .description("administrators, for whoever has the host: works on the data itself, without signing in")
    .addHelpText("after", onTheHost);
  addCreate(admin);
  addRecover(admin);
  addSetupLink(admin);
}

const onTheHost = `
These commands need the data directory (or DOORWARD_DATABASE_URL) and the master key of the server. The embedded database
belongs to one process: stop the server first. On PostgreSQL they work beside it. What they do is in the event log.`;

function addCreate(admin: Command): void {
  const command = admin
    .command("create")
    .description("make a person who owns the instance (IAM_OWNER)")
    .requiredOption("--email <address>", "e-mail address, taken as verified")
    .option("--username <name>", "username; what stands before the @ of the e-mail address when left out")
    .option("--given-name <name>", "given name; the username when left out")
    .option("--family-name <name>", "family name", "Administrator")
    .option("--password-file <file>", "read the password from a file; `-` for standard input")
    .option("--no-password-change", "do not ask for another password at the first sign-in")
    .addHelpText("after", `\n${aboutPasswords}`);
  addExamples(
    addCommonOptions(command, placeSettings),
    ["doorward admin create --email anna@example.com", "with a password that is made up and printed once"],
    [
      "doorward admin create --email anna@example.com --username anna --password-file - < password.txt",
      "with a password of your own",
    ],
  ).action(async (_options: unknown, self: Command) => (await import("./admin-create.ts")).runAdminCreate(self));
}

function addRecover(admin: Command): void {
  const command = admin
    .command("recover")
    .description("let somebody in again: a new password, unlocked and active, owner of the instance")
    .requiredOption("--login-name <name>", "login name, e-mail address or username of the person")
    .option("--password-file <file>", "read the password from a file; `-` for standard input")
    .option("--reset-login-settings", "the login settings of the instance and of the person's organization start over")
    .option("--remove-second-factors", "the person's second factors and recovery codes, which are lost, are removed")
    .addHelpText("after", `\n${aboutPasswords}\nIt has to be changed at the next sign-in.`);
  addExamples(addCommonOptions(command, placeSettings), [
    "doorward admin recover --login-name anna@doorward.localhost",
    "after a lost password, a lockout, or a role that was taken away by mistake",
  ]).action(async (_options: unknown, self: Command) => (await import("./admin-recover.ts")).runAdminRecover(self));
}

function addSetupLink(admin: Command): void {
  const command = admin
    .command("setup-link")
    .description("a new link to make the first administrator with: works once, within 15 minutes, from this machine");
  addExamples(addCommonOptions(command, [...placeSettings, "baseUrl", "port"]), [
    "doorward admin setup-link",
    "when the link that `doorward dev` printed has expired",
  ]).action(async (_options: unknown, self: Command) =>
    (await import("./admin-setup-link.ts")).runAdminSetupLink(self),
  );
}

const aboutPasswords = `Without --password-file the password is asked for on a terminal; elsewhere, or when nothing is typed, one is made up
and printed once.`;
