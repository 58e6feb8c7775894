import type { Command } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";

/** `token`: gets a token as an application does. */
export function addTokenCommand(program: Command): void {
  const command = program
    .command("token")
    .argument("[application]", "name of an application created with `doorward app create`; by default the newest")
    .description("get a token as an application does: sign in with the browser, or use --client-credentials")
    .option("--client-credentials", "the application gets a token for itself")
    .option("--scope <scopes>", "scopes, separated by spaces (openid profile email; openid with --client-credentials)")
    .option(
      "--api",
      "a token that the API of Doorward accepts: for a service account, for an application created with --trusted-for-api, or else to read your own data after your consent",
    )
    .option("--server <address>", "the access token of your `doorward login` to this server, for its API")
    .option("--env <file>", "the settings of the application, as `doorward app create` wrote them")
    .option("--issuer <address>", "issuer; by default ISSUER of the file")
    .option("--client-id <id>", "client id; by default CLIENT_ID of the file")
    .option("--client-secret-file <file>", "file with the client secret; by default CLIENT_SECRET of the file")
    .option(
      "--redirect-uri <address>",
      "a loopback address that the application may return to; by default REDIRECT_URI of the file",
    )
    .option("--no-browser", "print the sign-in address instead of opening a browser")
    .addHelpText("after", about);
  addExamples(
    addCommonOptions(command, ["dataDirectory"]),
    ["doorward token", "sign in to the newest application of `doorward dev`"],
    ["doorward token nightly --client-credentials", "as a service account"],
    [
      'curl -H "Authorization: Bearer $(doorward token --server https://id.example.com)" --json {} https://id.example.com/v2/users',
      "call the API as yourself, after `doorward login https://id.example.com` (here: list the users that you may see)",
    ],
  ).action(async (application: string | undefined, _options: unknown, self: Command) =>
    (await import("./run-token.ts")).runToken(self, application),
  );
}

const about = `
Signing in: the command listens at the application's redirect address on this machine, and opens the browser at the issuer (authorization
code with PKCE). Standard output has only the access token, so that it can be piped; --json prints everything.`;
