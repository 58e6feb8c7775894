import { open, rename, rm } from "node:fs/promises";
import { systemRandom } from "../base/random.ts";
import type { Secret } from "../base/secret.ts";
import { ConfigError } from "../config/index.ts";

/** A file for a secret that is written once. It is proven writable before a secret exists that could be lost. */
export interface TokenFile {
  /** Writes the secret; once this resolves it is on the disk under its name. */
  write(secret: Secret): Promise<void>;
  /** Removes the file when nothing was written. */
  close(): Promise<void>;
}

/** Prepares the file at a path, readable by its owner alone. Throws a `ConfigError` when it cannot be written. */
export async function openTokenFile(path: string, setting: string): Promise<TokenFile> {
  // A name that cannot be foreseen, for a file that is new: one that another user made would stay theirs to read.
  const unfinished = `${path}.unfinished-${systemRandom(9).toString("base64url")}`;
  const file = await open(unfinished, "wx", 0o600).catch((cause: unknown) => {
    const problem = `names ${path}, which cannot be written`;
    throw new ConfigError(setting, problem, "make its directory first, writable by the user who runs Doorward", cause);
  });
  return {
    write: async (secret) => {
      await file.write(`${secret.reveal()}\n`);
      await file.sync();
      await rename(unfinished, path);
    },
    close: async () => {
      await file.close();
      await rm(unfinished, { force: true });
    },
  };
}
