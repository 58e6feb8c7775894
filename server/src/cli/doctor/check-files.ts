import { constants, type Stats } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Config } from "../../config/index.ts";
import { type Finding, findingsOf } from "./finding.ts";

const leastBytes = 100 * 1024 * 1024;
const setting = "DOORWARD_DATA_DIR";
const { ok, warning, error } = findingsOf("files");

/** Checks who may read the data directory and its contents, and whether there is enough space. */
export async function checkFiles({ dataDirectory, databaseUrl }: Config): Promise<Finding[]> {
  const directory = await find(dataDirectory);
  if (directory === undefined) {
    return databaseUrl === undefined
      ? [ok(`${dataDirectory} does not exist yet; it is created at the first start`)]
      : [];
  }
  if (!directory.isDirectory()) return [error(`${dataDirectory} is not a directory`, setting, "use a directory")];
  const names = ["master.key", "doorward.db", "doorward.db-wal", "operator.json", "apps"];
  const found = [
    ...(await checkAccess(dataDirectory)),
    ...checkMode(dataDirectory, directory),
    ...(await Promise.all(names.map(async (name) => checkFile(join(dataDirectory, name))))).flat(),
    ...(await checkRoom(dataDirectory)),
  ];
  return found.length === 0 ? [ok(`${dataDirectory} is private and can be written`)] : found;
}

const find = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

async function checkFile(path: string): Promise<Finding[]> {
  const found = await find(path);
  return found === undefined ? [] : checkMode(path, found);
}

function checkMode(path: string, { mode, uid }: Stats): Finding[] {
  // Windows has no such modes; its directories are private to the user by their location.
  if (process.platform === "win32") return [];
  const findings: Finding[] = [];
  if ((mode & 0o077) !== 0) {
    const wanted = (mode & constants.S_IFDIR) !== 0 ? "700" : "600";
    const message = `${path} is open to other users (mode ${(mode & 0o777).toString(8)})`;
    findings.push(error(message, setting, `chmod ${wanted} ${path}`));
  }
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && uid !== user) {
    findings.push(error(`${path} belongs to another user (${uid})`, setting, "chown it to the user who runs Doorward"));
  }
  return findings;
}

async function checkAccess(path: string): Promise<Finding[]> {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch {
    return [error(`${path} cannot be written`, setting, "chown it to the user who runs Doorward")];
  }
}

async function checkRoom(path: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  if (free >= leastBytes) return [];
  return [
    warning(`the disk of ${path} has ${Math.round(free / 1024 / 1024)} MB left`, setting, "free space on the disk"),
  ];
}
