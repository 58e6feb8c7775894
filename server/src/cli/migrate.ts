import type { Command } from "commander";
import { addCommonOptions, addExamples, dataSettings } from "./command-context.ts";

/** `migrate`: the schema of the database. */
export function addMigrateCommand(program: Command): void {
  const command = program
    .command("migrate")
    .description("bring the schema of the database up to date; `start` does so by itself")
    .option("--plan", "print what would be applied, and change nothing");
  addExamples(
    addCommonOptions(command, dataSettings),
    ["doorward migrate --plan", "what a newer version would change; works beside a running server"],
    ["doorward migrate", "before `doorward start --no-migrate`"],
  ).action(async (_options: unknown, self: Command) => (await import("./run-migrate.ts")).runMigrate(self));
}
