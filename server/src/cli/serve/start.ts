import type { Command } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";

/** `start`: the server for production. */
export function addStartCommand(program: Command): void {
  const command = program
    .command("start")
    .description("run in production: refuses unsafe settings and names the ones to add")
    .option("--no-migrate", "leave the schema unchanged, and refuse to run on an old one");
  addExamples(
    addCommonOptions(command),
    [
      "DOORWARD_MASTER_KEY_FILE=/run/secrets/master-key doorward start --base-url https://id.example.com",
      "on the embedded database in ./.doorward",
    ],
    ["doorward start --config /etc/doorward.yaml --workers 4", "on PostgreSQL, with four processes"],
  ).action(async (_options: unknown, self: Command) => (await import("./run-start.ts")).runStart(self));
}
