import type { Command } from "commander";
import { addCommonOptions, addExamples } from "./command-context.ts";

/** `token`: gets a token as an application does. */
export function addTokenCommand(program: Command): void {
  const command = program
    .command("token")
    .argument("[application]", "name of an application made with `doorward app create`; the newest when left out")
    .description("get a token as an application does: somebody signs in with the browser, or --client-credentials")
    .option("--client-credentials", "the application gets a token for itself")
    .option("--scope <scopes>", "scopes, separated by spaces (openid profile email; openid with --client-credentials)")
    .option(
      "--api",
      "a token that the API of Doorward accepts: for a service account, for an application made with --trusted-for-api, or else to read your own data after you agreed",
    )
    .option("--env <file>", "what the application knows, as `doorward app create` wrote it")
    .option("--issuer <address>", "issuer; ISSUER of the file when left out")
    .option("--client-id <id>", "client id; CLIENT_ID of the file when left out")
    .option("--client-secret-file <file>", "file with the client secret; CLIENT_SECRET of the file when left out")
    .option(
      "--redirect-uri <address>",
      "a loopback address that the application may return to; REDIRECT_URI of the file when left out",
    )
    .option("--no-browser", "print the address to sign in at, and open nothing")
    .addHelpText("after", about);
  addExamples(
    addCommonOptions(command, ["dataDirectory"]),
    ["doorward token", "sign in to the newest application of `doorward dev`"],
    ["doorward token nightly --client-credentials", "as a service account"],
    [
      'curl -H "Authorization: Bearer $(doorward token --api)" --json {} http://localhost:8080/v2/users',
      "call the API as yourself, by an application made with --trusted-for-api (here: list the users that you may see)",
    ],
  ).action(async (application: string | undefined, _options: unknown, self: Command) =>
    (await import("./run-token.ts")).runToken(self, application),
  );
}

const about = `
Signing in: the command listens at the application's redirect address on this machine, and opens the browser at the issuer (authorization
code with PKCE). Standard output has the access token alone, so that it can be piped; --json has everything.`;
