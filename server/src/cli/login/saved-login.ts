import { constants, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import { isRecord, parseJson } from "../../base/json.ts";
import { systemRandom } from "../../base/random.ts";
import { Secret } from "../../base/secret.ts";
import { readEnvironment } from "../../config/index.ts";
import { CommandError } from "../command-error.ts";

/** A user who signed in to a server with `doorward login`. */
export interface SavedLogin {
  readonly issuer: string;
  readonly clientId: string;
  /** Login name of the user. */
  readonly user: string;
  readonly accessToken: Secret;
  /** When the access token ends, by the clock of this machine, in milliseconds. */
  readonly expiresAt: number;
  readonly refreshToken: Secret;
}

/**
 * Returns the directory of the files: one for each server, in the user's own configuration (XDG Base Directory
 * Specification), apart from any data directory.
 */
function loginDirectory(): string {
  const environment = readEnvironment();
  const [ours, windows] = [environment["XDG_CONFIG_HOME"], environment["APPDATA"]];
  if (ours !== undefined && isAbsolute(ours)) return join(ours, "doorward", "logins");
  if (process.platform === "win32" && windows) return join(windows, "doorward", "logins");
  return join(homedir(), ".config", "doorward", "logins");
}

/** Returns the file of a server. */
export const loginFile = (issuer: string): string => join(loginDirectory(), `${encodeURIComponent(issuer)}.json`);

/**
 * Writes a login, readable by its owner alone, in place of an earlier one to this server. A reader sees the one or the
 * other, never half of either.
 */
export async function saveLogin(login: SavedLogin): Promise<void> {
  await makeLoginDirectory();
  const { accessToken, refreshToken, ...rest } = login;
  const text = JSON.stringify({ ...rest, accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() });
  const path = loginFile(login.issuer);
  const part = `${path}.${systemRandom(6).toString("hex")}.part`;
  const file = await open(part, "wx", 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** Makes the directory, for its owner alone. */
export async function makeLoginDirectory(): Promise<void> {
  await mkdir(loginDirectory(), { recursive: true, mode: 0o700 });
}

/** Reads the login to a server; undefined when there is none. Refuses a file that others may read or replace. */
export async function readLogin(issuer: string): Promise<SavedLogin | undefined> {
  const path = loginFile(issuer);
  const file = await openOwn(path);
  if (file === undefined) return undefined;
  try {
    requireOwn(await stat(loginDirectory()), loginDirectory(), 0o022);
    requireOwn(await file.stat(), path, 0o077);
    return toLogin(await file.readFile("utf8").then(parseJson, () => undefined), issuer);
  } finally {
    await file.close();
  }
}

/** Removes the login to a server. */
export const removeLogin = (issuer: string): Promise<void> => rm(loginFile(issuer), { force: true });

/** Lists the servers that the user signed in to. */
export async function listLogins(): Promise<SavedLogin[]> {
  const names = await readdir(loginDirectory()).catch(() => []);
  const found: SavedLogin[] = [];
  for (const name of names.toSorted()) {
    if (!name.endsWith(".json")) continue;
    const login = await readLogin(decodeURIComponent(name.slice(0, -".json".length)));
    if (login !== undefined) found.push(login);
  }
  return found;
}

// A link could lead to a file of another user.
async function openOwn(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandError(`${path} cannot be read`, { fix: "remove it and sign in again: doorward login", cause });
  }
}

function requireOwn({ mode, uid }: Stats, path: string, others: number): void {
  if (process.platform === "win32") return;
  const isOurs = uid === process.getuid?.();
  if (isOurs && (mode & others) === 0) return;
  const problem = isOurs ? "is open to other users of this machine" : "belongs to another user";
  throw new CommandError(`${path} ${problem}`, {
    fix: isOurs ? `run: chmod go-rwx '${path}', and sign in again if others have used this machine` : "remove it",
  });
}

function toLogin(content: unknown, issuer: string): SavedLogin | undefined {
  if (!isRecord(content) || content["issuer"] !== issuer) return undefined;
  const { clientId, user, accessToken, expiresAt, refreshToken } = content;
  const isWhole =
    typeof clientId === "string" &&
    typeof user === "string" &&
    typeof accessToken === "string" &&
    typeof expiresAt === "number" &&
    typeof refreshToken === "string";
  if (!isWhole) return undefined;
  return {
    issuer,
    clientId,
    user,
    accessToken: new Secret(accessToken),
    expiresAt,
    refreshToken: new Secret(refreshToken),
  };
}
