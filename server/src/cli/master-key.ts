import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { generateMasterKey } from "../base/master-key.ts";
import { systemRandom } from "../base/random.ts";
import { Secret } from "../base/secret.ts";
import type { Config } from "../config/index.ts";
import { CommandError } from "./command-error.ts";

export const masterKeyFile = (config: Pick<Config, "dataDirectory">): string =>
  join(config.dataDirectory, "master.key");

/**
 * Returns the configuration with a master key. For development, one is generated in the data directory when there is
 * none.
 */
export async function withMasterKey(config: Config): Promise<Config> {
  if (config.masterKeys.length > 0) return config;
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  const path = masterKeyFile(config);
  const key = await readMasterKeyFile(path);
  return { ...config, masterKeys: [new Secret(key ?? (await writeKey(path)))] };
}

/** Returns the configuration with the existing master key: from the settings, or from the data directory of `dev`. */
export async function withExistingMasterKey(config: Config): Promise<Config> {
  if (config.masterKeys.length > 0) return config;
  const key = await readMasterKeyFile(masterKeyFile(config));
  if (key !== undefined) return { ...config, masterKeys: [new Secret(key)] };
  throw new CommandError("the master key is missing", {
    setting: "DOORWARD_MASTER_KEY",
    fix: `set it, or DOORWARD_MASTER_KEY_FILE, as for the server; in development it is ${masterKeyFile(config)}`,
  });
}

/** Reads the key that `dev` generated; undefined when there is none. */
export async function readMasterKeyFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

// Never overwrites a key, and writes it to the disk before anything is encrypted under it.
async function writeKey(path: string): Promise<string> {
  const key = generateMasterKey(systemRandom);
  const file = await open(path, "wx", 0o600);
  await file.write(`${key}\n`);
  await file.sync();
  await file.close();
  return key;
}
