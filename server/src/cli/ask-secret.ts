import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { CommandError } from "./command-error.ts";

/** Whether a user at a terminal can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal without echo. */
export async function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Reads a secret from a file, or from standard input when the path is `-`. `what` is what the file should contain. */
export async function readSecretFile(
  path: string,
  { option, what }: { readonly option: string; readonly what: string },
) {
  const content = path === "-" ? await readAll(process.stdin) : await readFile(path, "utf8");
  const secret = content.replace(/\r?\n$/, "");
  if (secret === "") throw new CommandError(`${option} ${path} is empty`, { fix: `write ${what} into it` });
  return secret;
}
