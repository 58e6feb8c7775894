import type { Command } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";

/** `doctor`: what is wrong, and what to do about it. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command("doctor")
    .description("check settings, database, clock, keys, files and proxies; each finding names the setting and the fix")
    .option("--dev", "check as for `dev`, whatever the settings are")
    .option("--production", "check as for `start`, whatever the settings are")
    .option("--hardening", "also compare with the strict values of docs/hardening.md; each deviation is a warning")
    .addHelpText(
      "after",
      `
Checks everything and changes nothing; works beside a running server. Without --dev or --production, settings of production (a base URL, a
master key, PostgreSQL) make it check as for \`start\`. Exits with 1 if something is wrong; warnings alone do not count.`,
    );
  addExamples(
    addCommonOptions(command),
    ["doorward doctor", "in a clone, with or without `doorward dev` running"],
    ["doorward doctor --production --hardening", "what a security review would ask for"],
    ["doorward doctor --config /etc/doorward.yaml --json", "for programs"],
  ).action(async (_options: unknown, self: Command) => (await import("./run-doctor.ts")).runDoctor(self));
}
