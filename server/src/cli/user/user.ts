import { type Command, Option } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";
import { addServerOptions } from "../server-options.ts";
import { csvFields, sourceKinds } from "./source-kinds.ts";

/** `user import`: users of a running server. */
export function addUserCommands(program: Command): void {
  const user = program.command("user").description("users of a running server");
  const command = user
    .command("import")
    .argument("<file...>", "files that the other system has exported")
    .description("import users from another system, with their passwords, authenticator apps and links")
    .addOption(
      new Option("--from <kind>", "what the files are; see below")
        .choices(Object.keys(sourceKinds))
        .makeOptionMandatory(),
    )
    .option("--organization <id>", "organization of the users; by default the default organization")
    .option("--new-ids", "let the server choose ids, which only administrators of the instance may set")
    .option("--dry-run", "read and check everything, also against the server, and create nothing")
    .option(
      "--report <file>",
      "write what failed, existed, was lost or changed: NDJSON, or CSV; by default the first lines are printed",
    )
    .option("--provider <name=id...>", "identity provider here (id) for what the other system calls name")
    .option("--project <id>", "project whose roles users get, by the names of their roles")
    .option("--client-roles <client>", "take the roles of this client, not those of the realm (keycloak)")
    .option("--password-hashes <file>", "the export of password hashes (auth0)")
    .option("--hash-config <file>", "the parameters of password hashes from the console (firebase)")
    .option("--map <field=column...>", "columns by their fields; see below (csv)")
    .addOption(
      new Option("--delimiter <character>", "separator of columns; guessed otherwise (csv, cognito)").choices([
        ",",
        ";",
        "|",
        "tab",
      ]),
    )
    .option("--missing-email-domain <domain>", "give users without an email address one in this domain, unverified")
    .addOption(new Option("--concurrency <count>", "calls at a time").default("8"));
  addExamples(
    addCommonOptions(addServerOptions(command).addHelpText("after", about), ["dataDirectory", "baseUrl", "port"]),
    [
      "doorward user import realm.json --from keycloak --dry-run --report check.csv",
      "what would fail or be lost, without creating anything",
    ],
    [
      "doorward user import users.ndjson --from auth0 --password-hashes hashes.ndjson --provider google-oauth2=123",
      "with passwords and accounts at Google",
    ],
    [
      "doorward user import people.csv --from csv --map email=E-Mail givenName=First familyName=Last",
      "a table with columns of its own",
    ],
  ).action(async (files: readonly string[], _options: unknown, self: Command) =>
    (await import("./run-import.ts")).runUserImport(self, files),
  );
}

const about = `
Kinds:
${Object.entries(sourceKinds)
  .map(([name, description]) => `  ${name.padEnd(12)}${description}`)
  .join("\n")}

Fields of --map: ${csvFields.join(", ")}, metadata.<key>,
link.<provider>. A field without --map has the column of its name.

Users keep their ids. A second run creates nothing twice: users who exist, by their id or else their username, stay as they are. No messages
are sent.
moving-from-others.md says how to export, and what is lost.`;
