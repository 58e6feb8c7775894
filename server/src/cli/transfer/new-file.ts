import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CommandError } from "../command-error.ts";

/**
 * Writes a file that its owner alone can read. It gets its name once it is complete and on the disk, so that what has
 * the name is complete; an existing file is replaced only if `replaces`.
 */
export async function writeNewFile(
  path: string,
  { replaces }: { readonly replaces: boolean },
  content: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  if (!replaces && existsSync(path)) throw refuse(path);
  const part = `${path}.part`;
  const file = await open(part, "wx", 0o600).catch((cause: unknown) => {
    if (!hasCode(cause, "EEXIST")) throw new CommandError(`${path} cannot be written`, { fix: named, cause });
    const problem = `${part} exists: another export writes it, or one was interrupted`;
    throw new CommandError(problem, { fix: "remove it if no export is running", cause });
  });
  try {
    await file.chmod(0o600);
    for await (const bytes of await content()) await writeAll(file, bytes);
    await file.sync();
    await give(part, path, replaces);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  const directory = await open(dirname(resolve(path)), "r");
  await directory.sync();
  await directory.close();
}

const named = "name another file with --output";
const refuse = (path: string): CommandError =>
  new CommandError(`${path} already exists`, { fix: `${named}, or replace it with --overwrite` });

async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.length; ) start += (await file.write(bytes, start)).bytesWritten;
}

async function give(part: string, path: string, replaces: boolean): Promise<void> {
  if (replaces) return rename(part, path);
  // Fails when there is such a file by now, where a new name would replace it.
  await link(part, path).catch((error: unknown) => {
    throw hasCode(error, "EEXIST") ? refuse(path) : error;
  });
  await rm(part);
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
