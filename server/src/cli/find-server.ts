import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { Secret } from "../base/secret.ts";
import { loadConfig, readEnvironment } from "../config/index.ts";
import type { ApiAccess } from "./api-client.ts";
import { gather } from "./command-context.ts";
import { CommandError } from "./command-error.ts";
import { readOperatorFile } from "./operator-file.ts";

/** A server that a command found, and the access to it. */
export interface FoundServer extends ApiAccess {
  /** The data directory, if this is a development server; undefined otherwise. */
  readonly dataDirectory: string | undefined;
}

/**
 * Finds the server for a command. With a token from the user (`--token-file`, `DOORWARD_TOKEN`) it is at `--url` or
 * `DOORWARD_BASE_URL`. Without one it is the development server on this data directory, which writes a token there for
 * its own user.
 */
export async function findServer(command: Command): Promise<FoundServer> {
  const { url: given } = command.opts<{ url?: string }>();
  const token = await readToken(command);
  const { baseUrl, dataDirectory } = loadConfig(await gather(command), { mode: "dev", isTerminal: false });
  const operator = await readOperatorFile(dataDirectory);
  const wanted = given === undefined ? undefined : toOrigin(given);
  if (token !== undefined) return { url: wanted ?? operator?.url ?? baseUrl, token, dataDirectory: undefined };
  // The token belongs to this exact server, so it is sent nowhere else.
  if (operator !== undefined && (wanted === undefined || wanted === operator.url))
    return { ...operator, dataDirectory };
  if (wanted !== undefined) {
    throw new CommandError(`there is no token for ${wanted}`, { setting: "DOORWARD_TOKEN", fix: bringToken });
  }
  throw new CommandError(`no development server runs on ${dataDirectory}, and there is no token for another one`, {
    setting: "DOORWARD_TOKEN",
    fix: `start one with: doorward dev. For another server: ${bringToken}`,
  });
}

const bringToken = "put a personal access token into DOORWARD_TOKEN, or name its file with --token-file";

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
  throw new CommandError(`--url ${text} is not an address`, {
    fix: "use scheme and host, for example https://id.example.com",
  });
}
