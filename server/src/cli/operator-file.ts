import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { isRecord, parseJson } from "../base/json.ts";
import { Secret } from "../base/secret.ts";

/**
 * What `dev` provides to the commands of the same user while it runs: its address, and a token with an owner's
 * permissions. The token exists only in the memory of that process, so the file is worthless once the process has
 * ended, however it ended.
 */
export interface Operator {
  readonly url: string;
  readonly token: Secret;
  readonly processId: number;
}

const operatorFile = (dataDirectory: string): string => join(dataDirectory, "operator.json");

/** Writes the file, readable by its owner alone. Returns a function that removes it. */
export async function writeOperatorFile(
  dataDirectory: string,
  { url, token }: Pick<Operator, "url" | "token">,
): Promise<() => Promise<void>> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const path = operatorFile(dataDirectory);
  const content = { url, token: token.reveal(), processId: process.pid };
  await writeFile(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  // An existing file keeps its mode when it is overwritten.
  await chmod(path, 0o600);
  return () => rm(path, { force: true });
}

/** Reads the file of the running development server; undefined when none runs on this data directory. */
export async function readOperatorFile(dataDirectory: string): Promise<Operator | undefined> {
  // An unreadable file means that there is no such server.
  const content: unknown = await readFile(operatorFile(dataDirectory), "utf8").then(parseJson, () => undefined);
  if (!isRecord(content)) return undefined;
  const { url, token, processId } = content;
  if (typeof url !== "string" || typeof token !== "string" || typeof processId !== "number") return undefined;
  return isAlive(processId) ? { url, token: new Secret(token), processId } : undefined;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
