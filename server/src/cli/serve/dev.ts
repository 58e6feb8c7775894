import type { Command } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";

/** `dev`: the server for development. */
export function addDevCommand(program: Command): void {
  const command = program
    .command("dev")
    .description("run for development: creates data, keys and an instance, and prints where everything is");
  addExamples(
    addCommonOptions(command),
    ["doorward dev", "on http://localhost:8080, with everything in ./.doorward"],
    ["doorward dev --port 9000 --data-dir /var/tmp/doorward", "elsewhere"],
  ).action(async (_options: unknown, self: Command) => (await import("./run-dev.ts")).runDev(self));
}
