import type { Command } from "commander";
import { addCommonOptions, addExamples, dataSettings } from "../command-context.ts";

/** `export` and `import`: everything that a database holds, as a file for another database. */
export function addTransferCommands(program: Command): void {
  addExport(program);
  addImport(program);
}

function addExport(program: Command): void {
  const command = program
    .command("export")
    .description("write everything that the database holds into one encrypted file, to move it to another database")
    .requiredOption("--output <file>", "file to write; only its owner can read it")
    .option("--instance <id>", "only this instance")
    .option("--overwrite", "replace the file if it exists, once the new one is complete");
  addSecretOptions(command).addHelpText("after", `\n${aboutExports}`);
  addExamples(
    addCommonOptions(command, dataSettings),
    ["openssl rand -base64 32 > export.key", "a key for the file; keep the two apart"],
    ["doorward export --output doorward.export --key-file export.key", "stop the server before, if this is a move"],
  ).action(async (_options: unknown, self: Command) => (await import("./run-export.ts")).runExport(self));
}

function addImport(program: Command): void {
  const command = program
    .command("import <file>")
    .description("fill an empty database with everything that `export` wrote")
    .option("--check", "read the whole file and count, without a database");
  addSecretOptions(command).addHelpText("after", `\n${aboutImports}`);
  addExamples(
    addCommonOptions(command, dataSettings),
    ["doorward import doorward.export --check --key-file export.key", "is the file complete, and can it be imported?"],
    ["doorward import doorward.export --key-file export.key", "then start the server"],
  ).action(async (file: string, _options: unknown, self: Command) =>
    (await import("./run-import.ts")).runImport(self, file),
  );
}

function addSecretOptions(command: Command): Command {
  return command
    .option("--key-file <file>", "file with the key of the export: 32 random bytes in base64")
    .option("--passphrase-file <file>", "file with a passphrase in place of a key; `-` for standard input");
}

const aboutExports = `The file holds password hashes, private keys, tokens and personal data. It is encrypted under the key or passphrase that
you give; without an option a terminal asks for a passphrase. The export is of one instant. It may be made beside a
running server, but what happens after that instant is not in the file: to move, stop the server first.`;

const aboutImports = `The database must be empty: a new data directory, or an empty PostgreSQL database (DOORWARD_DATABASE_URL). It is filled
as a whole or not at all. Secrets are encrypted under the master key of this installation, which need not be the one of
the source. Do not run source and target at the same time.`;
