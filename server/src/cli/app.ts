import { type Command, Option } from "commander";
import { type ApplicationType, applicationTypes } from "./application-types.ts";
import { addCommonOptions, addExamples } from "./command-context.ts";
import { securityProfiles } from "./security-profile.ts";

/** `app create`: registers an application with a running server. */
export function addAppCommands(program: Command): void {
  const app = program.command("app").description("applications that sign people in, or call APIs");
  const command = app
    .command("create")
    .argument("<name>", "name of the application")
    .description("register an application with a running server, and print what it needs to know")
    .addOption(
      new Option("--type <type>", "what it is; see below").choices(Object.keys(applicationTypes)).default("web"),
    )
    .option("--uri <address>", "address of a server that takes tokens (mcp-server): what clients name by resource")
    .option("--scope <name=words...>", "scopes of that server, and what the consent page says that they permit")
    .option(
      "--no-registration",
      "leave closed to clients that no administrator made (mcp-server opens the instance to them)",
    )
    .option("--redirect-uri <address...>", "where sign-ins return to")
    .option("--post-logout-redirect-uri <address...>", "where sign-outs return to")
    .option(
      "--login-uri <address>",
      "base address of a login of your own that serves it; the hosted login when left out",
    )
    .option(
      "--trusted-for-api",
      "the API of Doorward accepts the tokens of its users; only administrators of the instance may say so",
    )
    .addOption(
      new Option(
        "--security-profile <profile>",
        "hold it to the FAPI 2.0 Security Profile: pushed requests, PKCE, private_key_jwt, DPoP (fapi.md)",
      ).choices(securityProfiles),
    )
    .option("--key-file <file>", "file for the private key by which it authenticates, which only you can read (fapi2)")
    .option("--project <id>", "project that it belongs to; a new one with its name when left out")
    .option("--organization <id>", "organization of the new project; the default one when left out")
    .option(
      "--write-env <file>",
      "write what it needs to know into a file that only you can read, and do not print the secret",
    )
    .option("--url <address>", "where the server is; the one of DOORWARD_BASE_URL, or of `doorward dev`, when left out")
    .option("--token-file <file>", "file with a personal access token; DOORWARD_TOKEN when left out")
    .addHelpText("after", aboutTypes());
  addExamples(
    addCommonOptions(command, ["dataDirectory", "baseUrl", "port"]),
    ["doorward app create shop", "a web application at http://localhost:3000, with the server of `doorward dev`"],
    [
      "doorward app create shop-ui --type spa --redirect-uri https://shop.example.com/callback",
      "an application in the browser",
    ],
    [
      "doorward app create tools --type mcp-server --uri http://localhost:3001/mcp --scope 'tools:read=Look at your tools'",
      "a server of the Model Context Protocol (mcp.md)",
    ],
    [
      "doorward app create bank --security-profile fapi2 --redirect-uri https://bank.example/callback --key-file bank.json",
      "an application with the FAPI 2.0 profile, and its key",
    ],
    [
      "DOORWARD_TOKEN=… doorward app create nightly --type machine --url https://id.example.com --write-env .env",
      "a service account",
    ],
  ).action(async (name: string, _options: unknown, self: Command) =>
    (await import("./app-create.ts")).runAppCreate(self, name),
  );
}

function aboutTypes(): string {
  const types: Readonly<Record<string, ApplicationType>> = applicationTypes;
  const lines = Object.entries(types).map(([name, { description, redirectUri }]) => {
    const returns = redirectUri === undefined ? "" : ` (returns to ${redirectUri} unless you say otherwise)`;
    return `  ${name.padEnd(12)}${description}${returns}`;
  });
  return `
Types:
${lines.join("\n")}

Which server: with a token (--token-file, DOORWARD_TOKEN) the one of --url or DOORWARD_BASE_URL. Without, the one that \`doorward dev\` runs on
the data directory: while it runs it leaves a token there that only its user can read. What was created is then also kept in
<data dir>/apps/<name>.env, for \`node --env-file=…\` and \`doorward token\`.`;
}
