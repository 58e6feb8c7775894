import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { Secret } from "../base/secret.ts";
import { loadConfig, readEnvironment } from "../config/index.ts";
import type { ApiAccess } from "./api-client.ts";
import { gather } from "./command-context.ts";
import { CommandError } from "./command-error.ts";
import { accessOfLogin } from "./login/access-of-login.ts";
import { listLogins, readLogin } from "./login/saved-login.ts";
import { readOperatorFile } from "./operator-file.ts";

/** A server that a command found, and the access to it. */
export interface FoundServer extends ApiAccess {
  /** The data directory, if this is a development server; undefined otherwise. */
  readonly dataDirectory: string | undefined;
}

/**
 * Finds the server for a command. With a token from the user (`--token-file`, `DOORWARD_TOKEN`) it is at `--server` or
 * `DOORWARD_BASE_URL`. Without one it is the development server on this data directory, which writes a token there for
 * its own user, or a server that the user signed in to with `doorward login`.
 */
export async function findServer(command: Command): Promise<FoundServer> {
  const given = command.opts<{ server?: string }>().server ?? command.opts<{ url?: string }>().url;
  const token = await readToken(command);
  const gathered = await gather(command);
  const { baseUrl, dataDirectory } = loadConfig(gathered, { mode: "dev", isTerminal: false });
  const operator = await readOperatorFile(dataDirectory);
  const wanted = given === undefined ? undefined : toOrigin(given);
  if (token !== undefined) {
    return { url: wanted ?? operator?.url ?? baseUrl, token: async () => token, dataDirectory: undefined };
  }
  // The token belongs to this exact server, so it is sent nowhere else.
  if (operator !== undefined && (wanted === undefined || wanted === operator.url)) {
    return { url: operator.url, token: async () => operator.token, dataDirectory };
  }
  const issuer = wanted ?? (gathered.has("baseUrl") ? baseUrl : await findOnlyLogin());
  if (issuer === undefined) {
    throw new CommandError(`no development server runs on ${dataDirectory}, and you are signed in to no other one`, {
      setting: "DOORWARD_TOKEN",
      fix: `start one with: doorward dev. For another server: ${bringToken}`,
    });
  }
  if ((await readLogin(issuer)) === undefined) {
    throw new CommandError(`there is no token for ${issuer}`, { setting: "DOORWARD_TOKEN", fix: bringToken });
  }
  return { url: issuer, token: () => accessOfLogin(issuer), dataDirectory: undefined };
}

const bringToken =
  "sign in with doorward login <server>, put a personal access token into DOORWARD_TOKEN, or name its file with --token-file";

// A command that changes something must not guess.
async function findOnlyLogin(): Promise<string | undefined> {
  const logins = await listLogins();
  if (logins.length <= 1) return logins[0]?.issuer;
  throw new CommandError("you are signed in to several servers", {
    fix: `name one with --server: ${logins.map(({ issuer }) => issuer).join(", ")}`,
  });
}

async function readToken(command: Command): Promise<Secret | undefined> {
  const { tokenFile } = command.opts<{ tokenFile?: string }>();
  const environment = readEnvironment();
  const path = tokenFile ?? environment["DOORWARD_TOKEN_FILE"];
  const direct = tokenFile === undefined ? environment["DOORWARD_TOKEN"] : undefined;
  if (direct) return new Secret(direct.trim());
  return path ? new Secret((await readFile(path, "utf8")).trim()) : undefined;
}

function toOrigin(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.origin;
  throw new CommandError(`--server ${text} is not an address`, {
    fix: "use scheme and host, for example https://id.example.com",
  });
}
