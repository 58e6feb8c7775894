import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { CommandError } from "./command-error.ts";
import { writePrivateFile } from "./private-file.ts";

/** The configuration of an application, under the names that examples and `doorward token` read. */
export interface ApplicationEnvironment {
  readonly ISSUER: string;
  readonly CLIENT_ID: string;
  readonly CLIENT_SECRET?: string | undefined;
  /** File with the key of an application that authenticates by one. */
  readonly CLIENT_KEY_FILE?: string | undefined;
  /** Only for a custom login. */
  readonly LOGIN_TOKEN?: string | undefined;
  /** Only for a server that takes tokens. */
  readonly RESOURCE?: string | undefined;
  readonly REDIRECT_URI?: string | undefined;
  readonly POST_LOGOUT_REDIRECT_URI?: string | undefined;
}

const folder = (dataDirectory: string): string => join(dataDirectory, "apps");

/** Returns the path of an application's environment file beside a development server. */
export const environmentFile = (dataDirectory: string, name: string): string =>
  join(folder(dataDirectory), `${encodeURIComponent(name)}.env`);

/**
 * Returns lines of a file for `node --env-file`. The values are addresses, ids and secrets of the server, which need no
 * quotes; one with a line break is refused, because it would add lines of its own.
 */
export function toEnvironmentText(environment: ApplicationEnvironment): string {
  const lines = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const [name, value] of lines) {
    if (/\p{Cc}/u.test(value)) throw new CommandError(`the server answered with an unusable ${name}`);
  }
  return lines.map(([name, value]) => `${name}=${value}\n`).join("");
}

/** Writes the file, readable by its owner alone. Refuses to overwrite a file unless `replaces`. */
export async function writeEnvironmentFile(
  path: string,
  environment: ApplicationEnvironment,
  { replaces }: { readonly replaces: boolean },
): Promise<void> {
  await writePrivateFile(path, toEnvironmentText(environment), { replaces, option: "--write-env" });
}

/** Reads such a file. */
export async function readEnvironmentFile(path: string): Promise<Partial<ApplicationEnvironment>> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read`, { fix: "name the file of an application that exists", cause });
  });
  return parseEnv(text) as Partial<ApplicationEnvironment>;
}

/** Returns the newest environment file beside a development server, or undefined. */
export async function newestEnvironmentFile(dataDirectory: string): Promise<string | undefined> {
  const names = await readdir(folder(dataDirectory)).catch(() => []);
  const files = names.filter((name) => name.endsWith(".env")).map((name) => join(folder(dataDirectory), name));
  const aged = await Promise.all(files.map(async (path) => ({ path, changedAt: (await stat(path)).mtimeMs })));
  return aged.toSorted((one, other) => other.changedAt - one.changedAt)[0]?.path;
}
