import type { Command } from "commander";
import { loadConfig } from "../../config/index.ts";
import { answer, gather } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { type BrowserSignIn, signInWithBrowser } from "../sign-in/browser-sign-in.ts";
import { signInWithDevice } from "../sign-in/device-sign-in.ts";
import { findUserName, type TokenAnswer } from "../sign-in/oauth-client.ts";
import { PortUnavailable } from "../sign-in/return-listener.ts";
import { toLogin } from "./access-of-login.ts";
import { type CommandLineClient, findCommandLineClient } from "./command-line-client.ts";
import { withLoginLock } from "./login-lock.ts";
import { revokeLogin } from "./revoke-login.ts";
import { listLogins, readLogin, saveLogin } from "./saved-login.ts";

interface Options {
  readonly device?: boolean;
  readonly readOnly?: boolean;
  readonly browser: boolean;
  readonly list?: boolean;
}

const common = "openid profile offline_access";
const scopes = {
  everything: `${common} urn:service:iam:org:project:id:service:aud`,
  reading: `${common} urn:service:iam:api:me:read urn:service:iam:api:admin:read`,
};

/** Signs the user in to a server, and keeps the sign-in for the commands that call it. */
export async function runLogin(command: Command, server: string | undefined): Promise<void> {
  const options = command.opts<Options>();
  if (options.list === true) return list(command);
  const { baseUrl } = loadConfig(await gather(command), { mode: "dev", isTerminal: false });
  const found = await findCommandLineClient(server ?? baseUrl);
  const answered = await signIn(found, options);
  const { issuer, clientId } = found;
  const user = (await findUserName(issuer, answered)) ?? "";
  await withLoginLock(issuer, async () => {
    // An earlier sign-in to this server would go on without anything that knows its tokens.
    const former = await readLogin(issuer).catch(() => undefined);
    await saveLogin(toLogin({ issuer, clientId, user }, answered));
    if (former !== undefined) await revokeLogin(former).catch(() => undefined);
  });
  answer(command, { server: issuer, user }, `Signed in to ${issuer} as ${user}.`);
}

async function signIn(found: CommandLineClient, { device, readOnly, browser }: Options): Promise<TokenAnswer> {
  const { issuer, clientId, hasDevices } = found;
  const client = { issuer, clientId, clientSecret: undefined };
  const scope = readOnly === true ? scopes.reading : scopes.everything;
  if (device === true) {
    if (hasDevices) return signInWithDevice(client, scope);
    throw new CommandError(`${issuer} lets no other device sign in`, {
      fix: "sign in on a machine with a browser, or use a personal access token: DOORWARD_TOKEN",
    });
  }
  const how = (redirectUri: string): BrowserSignIn => ({ scope, redirectUri, opensBrowser: browser });
  try {
    return await signInWithBrowser(client, how("http://127.0.0.1/callback"));
  } catch (error) {
    // A machine may have only one of the two protocols.
    if (!(error instanceof PortUnavailable)) throw error;
    return signInWithBrowser(client, how("http://[::1]/callback"));
  }
}

async function list(command: Command): Promise<void> {
  const logins = (await listLogins()).map(({ issuer: server, user }) => ({ server, user }));
  const lines = logins.map(({ server, user }) => `${server}  ${user}`);
  answer(command, { logins }, lines.length === 0 ? "You are signed in to no server." : lines.join("\n"));
}
