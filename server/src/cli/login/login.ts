import type { Command } from "commander";
import { addCommonOptions, addExamples } from "../command-context.ts";

/** `login` and `logout`: the user of the commands that call a server. */
export function addLoginCommands(program: Command): void {
  const login = program
    .command("login")
    .argument("[server]", "address of the server; by default that of DOORWARD_BASE_URL")
    .description("sign in to a server, for the commands that call it: app, org, token and user")
    .option("--device", "sign in with a browser on another device, by a code")
    .option("--read-only", "change nothing with this sign-in, whatever your roles are")
    .option("--no-browser", "print the sign-in address instead of opening a browser on this machine")
    .option("--list", "list the servers that you are signed in to, and sign in to none")
    .addHelpText("after", about);
  addExamples(
    addCommonOptions(login, ["baseUrl", "port"]),
    ["doorward login https://id.example.com", "sign in with the browser of this machine"],
    ["doorward login https://id.example.com --device", "on a machine without a browser"],
  ).action(async (server: string | undefined, _options: unknown, self: Command) =>
    (await import("./run-login.ts")).runLogin(self, server),
  );
  const logout = program
    .command("logout")
    .argument("[server]", "address of the server; may be omitted if you are signed in to only one")
    .description("end a sign-in of `doorward login`: its tokens are revoked and removed")
    .option("--all", "end the sign-ins to all servers");
  addExamples(addCommonOptions(logout, []), ["doorward logout https://id.example.com", "end the sign-in"]).action(
    async (server: string | undefined, _options: unknown, self: Command) =>
      (await import("./run-logout.ts")).runLogout(self, server),
  );
}

const about = `
The sign-in happens in the browser, with every factor and rule of the server, and you confirm there that the command line may act for you: it may
then do what your roles allow. Its tokens are kept in a file that only you can read, one for each server (doorward/logins in XDG_CONFIG_HOME,
or in ~/.config). An access token is valid for 15 minutes and is renewed when a command needs it; the server decides how long that goes on.
You see the sign-in, and can end it, on your account page under applications.`;
