import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

/** Thrown when the data directory belongs to another running process. */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";
}

/**
 * Locks the data directory for this process, until the returned function is called or the process ends in any way. The
 * lock is SQLite's own, on a file with no other purpose, and the system releases it with the process. The other file,
 * which names the process, is only for the message.
 */
export function lockDirectory(directory: string): () => void {
  const owner = join(directory, "doorward.pid");
  const file = join(directory, "doorward.lock");
  makePrivate(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DirectoryInUse(
      `the data directory ${directory} is in use by ${nameOwner(owner)}; one process owns a directory`,
      {
        cause: error,
      },
    );
  }
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    rmSync(owner, { force: true });
    lock.close();
  };
}

// An existing file is never opened here: closing a descriptor would drop this process's lock on the file.
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

function nameOwner(file: string): string {
  try {
    return `process ${readFileSync(file, "utf8").trim()}`;
  } catch {
    return "another process";
  }
}
