import { type Command, Option } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";
import { addServerOptions } from "../server-options.ts";

/** `org import`: organizations of a running server. */
export function addOrganizationCommands(program: Command): void {
  const org = program.command("org").description("organizations of a running server");
  const command = org
    .command("import")
    .argument("<file>", "organizations as ExportData answers them, or a request of ImportData")
    .description("import organizations of any size from an installation with the same interface")
    .option("--dry-run", "read everything, check hashes of passwords, and import nothing")
    .option("--report <file>", "write what failed or exists: NDJSON, or CSV; by default the first lines are printed")
    .addOption(new Option("--body-limit <bytes>", "DOORWARD_BODY_LIMIT of the server").default("1048576"))
    .addOption(new Option("--concurrency <count>", "requests with users at a time").default("2"));
  addExamples(
    addCommonOptions(addServerOptions(command).addHelpText("after", about), ["dataDirectory", "baseUrl", "port"]),
    ["doorward org import organizations.json --report done.csv", "organizations with their projects, users and roles"],
  ).action(async (file: string, _options: unknown, self: Command) =>
    (await import("./run-import.ts")).runOrganizationImport(self, file),
  );
}

const about = `
Sends the file in requests of AdminService.ImportData that are small enough, in the right order (import-export.md): organizations and projects,
users, what belongs to users, and finally states. A second run imports what is missing.`;
