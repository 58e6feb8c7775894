import { type Command, Option } from "commander";
import { addCommonOptions, addExamples, dataSettings } from "../command-context.ts";

/** Commands for operators with access to the host and its data: administrators, setup links and tokens. */
export function addAdminCommands(program: Command): void {
  const admin = program
    .command("admin")
    .description("create and recover administrators on the host: works directly on the data, without signing in")
    .addHelpText("after", onTheHost);
  addCreate(admin);
  addRecover(admin);
  addSetupLink(admin);
  addToken(admin);
}

const onTheHost = `
These commands need the data directory (or DOORWARD_DATABASE_URL) and the master key of the server. The embedded database
belongs to one process: stop the server first. On PostgreSQL they work beside it. What they do is recorded in the event log.`;

function addCreate(admin: Command): void {
  const command = admin
    .command("create")
    .description("create a user who owns the instance (IAM_OWNER)")
    .requiredOption("--email <address>", "email address, treated as verified")
    .option("--username <name>", "username; by default the part of the email address before the @")
    .option("--given-name <name>", "given name; by default the username")
    .option("--family-name <name>", "family name", "Administrator")
    .option("--password-file <file>", "read the password from a file; `-` for standard input")
    .option("--no-password-change", "do not require a new password at the first sign-in")
    .addHelpText("after", `\n${aboutPasswords}`);
  addExamples(
    addCommonOptions(command, dataSettings),
    ["doorward admin create --email anna@example.com", "with a generated password that is printed once"],
    [
      "doorward admin create --email anna@example.com --username anna --password-file - < password.txt",
      "with your own password",
    ],
  ).action(async (_options: unknown, self: Command) => (await import("./admin-create.ts")).runAdminCreate(self));
}

function addRecover(admin: Command): void {
  const command = admin
    .command("recover")
    .description(
      "let a user in again: sets a new password, unlocks and activates the user, and makes them owner of the instance",
    )
    .requiredOption("--login-name <name>", "login name, email address or username of the user")
    .option("--password-file <file>", "read the password from a file; `-` for standard input")
    .option("--reset-login-settings", "reset the login settings of the instance and of the user's organization")
    .option("--remove-second-factors", "remove the user's lost second factors and recovery codes")
    .addHelpText("after", `\n${aboutPasswords}\nIt must be changed at the next sign-in.`);
  addExamples(addCommonOptions(command, dataSettings), [
    "doorward admin recover --login-name anna@doorward.localhost",
    "after a lost password, a lockout, or a role that was taken away by mistake",
  ]).action(async (_options: unknown, self: Command) => (await import("./admin-recover.ts")).runAdminRecover(self));
}

function addSetupLink(admin: Command): void {
  const command = admin
    .command("setup-link")
    .description(
      "print a new link for creating the first administrator; it works once, within 15 minutes, on this machine",
    );
  addExamples(addCommonOptions(command, [...dataSettings, "baseUrl", "port"]), [
    "doorward admin setup-link",
    "when the link that `doorward dev` printed has expired",
  ]).action(async (_options: unknown, self: Command) =>
    (await import("./admin-setup-link.ts")).runAdminSetupLink(self),
  );
}

function addToken(admin: Command): void {
  const command = admin
    .command("token")
    .description("create a service account that owns the instance (IAM_OWNER), and print a personal access token of it")
    .requiredOption("--username <name>", "username of the new account")
    .addOption(new Option("--days <count>", "how long the token is valid").default("1"));
  addExamples(addCommonOptions(command, dataSettings), [
    "doorward admin token --username provisioning",
    "for a program that sets the server up; users sign in with `doorward login`",
  ]).action(async (_options: unknown, self: Command) => (await import("./admin-token.ts")).runAdminToken(self));
}

const aboutPasswords = `Without --password-file a terminal asks for the password; elsewhere, or if nothing is entered, one is generated
and printed once.`;
