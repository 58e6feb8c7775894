import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./command-error.ts";

/**
 * Writes a file that its owner alone can read. Refuses to overwrite one unless `replaces`; `option` is the option that
 * named the file.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { replaces, option }: { readonly replaces: boolean; readonly option: string },
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, replaces ? "w" : "wx", 0o600).catch((cause: unknown) => {
    const isThere = (cause as NodeJS.ErrnoException).code === "EEXIST";
    const problem = isThere ? `${path} already exists` : `${path} cannot be written`;
    throw new CommandError(problem, { fix: `name another file with ${option}`, cause });
  });
  try {
    await file.chmod(0o600);
    await file.write(text);
  } finally {
    await file.close();
  }
}
