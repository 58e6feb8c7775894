import { type Command, Option } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";
import { addServerOptions } from "../server-options.ts";
import { type ApplicationType, applicationTypes } from "./application-types.ts";
import { addClientOptions } from "./client-options.ts";
import { securityProfiles } from "./security-profile.ts";

/** `app create`, `app list` and `app update`: applications of a running server. */
export function addAppCommands(program: Command): void {
  const app = program.command("app").description("applications that sign users in, or call APIs");
  addAppCreate(app);
  addAppList(app);
  addAppUpdate(app);
}

function addAppCreate(app: Command): void {
  const command = app
    .command("create")
    .argument("<name>", "name of the application")
    .description("register an application with a running server, and print its settings")
    .addOption(
      new Option("--type <type>", "type of the application; see below")
        .choices(Object.keys(applicationTypes))
        .default("web"),
    )
    .option(
      "--uri <address>",
      "address of a server that accepts tokens (mcp-server); clients name it as their resource",
    )
    .option("--scope <name=description...>", "scopes of that server, with their descriptions on the consent page")
    .option(
      "--no-registration",
      "do not open the instance to clients that no administrator registered (mcp-server does so by default)",
    )
    .option("--redirect-uri <address...>", "addresses to return to after sign-in")
    .option("--post-logout-redirect-uri <address...>", "addresses to return to after sign-out")
    .option("--login-uri <address>", "base address of your own login for it; by default the hosted login");
  addClientOptions(command)
    .option(
      "--trusted-for-api",
      "the API of Doorward accepts the tokens of its users; only administrators of the instance may set this",
    )
    .addOption(
      new Option(
        "--security-profile <profile>",
        "require the FAPI 2.0 Security Profile: pushed requests, PKCE, private_key_jwt, DPoP (fapi.md)",
      ).choices(securityProfiles),
    )
    .option("--key-file <file>", "file for its private key, which only you can read (fapi2)")
    .option("--project <id>", "project that it belongs to; by default a new one with its name")
    .option("--organization <id>", "organization of the new project; by default the default organization")
    .option("--write-env <file>", "write its settings into a file that only you can read, and do not print the secret")
    .addHelpText("after", aboutTypes());
  addServerOptions(command);
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
      "an application with the FAPI 2.0 profile and its key",
    ],
    [
      "DOORWARD_TOKEN=… doorward app create nightly --type machine --server https://id.example.com --write-env .env",
      "a service account",
    ],
  ).action(async (name: string, _options: unknown, self: Command) =>
    (await import("./app-create.ts")).runAppCreate(self, name),
  );
}

function addAppList(app: Command): void {
  const command = app
    .command("list")
    .description("list the applications of a running server, with their settings")
    .option("--project <id>", "only those of a project");
  addExamples(addCommonOptions(addServerOptions(command), ["dataDirectory", "baseUrl", "port"]), [
    "doorward app list",
    "every application that the token may see",
  ]).action(async (_options: unknown, self: Command) => (await import("./app-list.ts")).runAppList(self));
}

function addAppUpdate(app: Command): void {
  const command = app
    .command("update")
    .argument("<id>", "application id or client id")
    .description("change settings of an application; what is not given stays")
    .option("--name <name>", "another name")
    .option("--redirect-uri <address...>", "addresses to return to after sign-in, in place of all former ones")
    .option("--post-logout-redirect-uri <address...>", "addresses to return to after sign-out, likewise");
  addExamples(
    addCommonOptions(addServerOptions(addClientOptions(command)), ["dataDirectory", "baseUrl", "port"]),
    ["doorward app update 123 --token-format jwt --role-assertion", "JWT access tokens with the roles of the user"],
    ["doorward app update 123 --role-assertion off", "without them again"],
  ).action(async (id: string, _options: unknown, self: Command) =>
    (await import("./app-update.ts")).runAppUpdate(self, id),
  );
}

function aboutTypes(): string {
  const types: Readonly<Record<string, ApplicationType>> = applicationTypes;
  const lines = Object.entries(types).map(([name, { description, redirectUri }]) => {
    const returns = redirectUri === undefined ? "" : ` (returns to ${redirectUri} by default)`;
    return `  ${name.padEnd(12)}${description}${returns}`;
  });
  return `
Types:
${lines.join("\n")}

Which server: that of --server or DOORWARD_BASE_URL, as the user who signed in with \`doorward login\`, or with a token (--token-file,
DOORWARD_TOKEN). Without any of these, the one that \`doorward dev\` runs on the data directory, where it keeps a token that only its user can
read while it runs. The settings are then also saved in <data dir>/apps/<name>.env, for \`node --env-file=…\` and \`doorward token\`.`;
}
