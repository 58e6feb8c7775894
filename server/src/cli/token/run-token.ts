import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { loadConfig } from "../../config/index.ts";
import { answer, gather, isJson, tell } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import {
  type ApplicationEnvironment,
  environmentFile,
  newestEnvironmentFile,
  readEnvironmentFile,
} from "../env-file.ts";
import { accessOfLogin } from "../login/access-of-login.ts";
import { printable } from "../printable.ts";
import { signInWithBrowser } from "../sign-in/browser-sign-in.ts";
import { findUserName, type OAuthClient, requestToken, type TokenAnswer } from "../sign-in/oauth-client.ts";

interface Options {
  readonly clientCredentials?: boolean;
  readonly scope?: string;
  readonly api?: boolean;
  readonly server?: string;
  readonly env?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly redirectUri?: string;
  readonly browser: boolean;
}

const apiScope = "urn:service:iam:org:project:id:service:aud";

/** Gets a token and prints it. */
export async function runToken(command: Command, application: string | undefined): Promise<void> {
  const options = command.opts<Options>();
  if (options.server !== undefined) return printLogin(command, options.server, { ...options, application });
  const known = await findEnvironment(command, options, application);
  const client = await toClient(options, known);
  // An application without a redirect address is a service account.
  const isForItself = options.clientCredentials ?? (options.redirectUri ?? known.REDIRECT_URI) === undefined;
  const wanted = options.scope ?? (isForItself ? "openid" : "openid profile email");
  const scope = options.api === true ? `${wanted} ${apiScope}` : wanted;
  const answered = isForItself
    ? await requestToken(client, { grant_type: "client_credentials", scope })
    : await signInWithBrowser(client, {
        scope,
        redirectUri: options.redirectUri ?? known.REDIRECT_URI,
        opensBrowser: options.browser,
      });
  if (!isJson(command)) tell(printable(describe(answered, await findUserName(client.issuer, answered))));
  answer(command, { ...answered.response, ...(answered.claims && { claims: answered.claims }) }, answered.accessToken);
}

/** Prints the access token of the user who signed in with `doorward login`. */
async function printLogin(
  command: Command,
  server: string,
  { application, env, issuer, clientId }: Options & { readonly application: string | undefined },
): Promise<void> {
  if ([application, env, issuer, clientId].some((given) => given !== undefined)) {
    throw new CommandError("--server is for your own sign-in, and not for that of an application", {
      fix: "omit --server, or the application",
    });
  }
  const accessToken = (await accessOfLogin(URL.parse(server)?.origin ?? server)).reveal();
  answer(command, { access_token: accessToken, token_type: "Bearer" }, accessToken);
}

async function findEnvironment(
  command: Command,
  options: Options,
  application: string | undefined,
): Promise<Partial<ApplicationEnvironment>> {
  if (options.env !== undefined) return readEnvironmentFile(options.env);
  const { dataDirectory } = loadConfig(await gather(command), { mode: "dev", isTerminal: false });
  if (application !== undefined) return readEnvironmentFile(environmentFile(dataDirectory, application));
  if (options.clientId !== undefined) return {};
  const newest = await newestEnvironmentFile(dataDirectory);
  if (newest !== undefined) return readEnvironmentFile(newest);
  throw new CommandError("there is no application to get a token with", {
    fix: "create one with doorward app create <name>, or specify one with --env, or with --issuer and --client-id",
  });
}

async function toClient(options: Options, known: Partial<ApplicationEnvironment>): Promise<OAuthClient> {
  const issuer = options.issuer ?? known.ISSUER;
  const clientId = options.clientId ?? known.CLIENT_ID;
  if (issuer === undefined) throw new CommandError("the issuer is missing", { fix: "name it with --issuer" });
  if (clientId === undefined) throw new CommandError("the client id is missing", { fix: "name it with --client-id" });
  const { clientSecretFile } = options;
  const secret =
    clientSecretFile === undefined ? known.CLIENT_SECRET : (await readFile(clientSecretFile, "utf8")).trim();
  return { issuer: issuer.replace(/\/$/, ""), clientId, clientSecret: secret };
}

function describe({ response }: TokenAnswer, name: string | undefined): string {
  const { scope, expires_in: lifetime } = response;
  const hours = typeof lifetime === "number" ? `, valid for ${Math.round(lifetime / 360) / 10} h` : "";
  const who = name === undefined ? "" : `Signed in as ${name}. `;
  return `${who}Access token for scope "${String(scope ?? "")}"${hours}:`;
}
