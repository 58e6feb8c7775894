import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { systemRandom } from "../../base/random.ts";
import { isJson } from "../command-context.ts";
import { CommandError } from "../command-error.ts";

export interface ChosenPassword {
  readonly value: string;
  /** The password was generated, so it has to be shown. */
  readonly isMadeUp: boolean;
  /** The user typed the password. */
  readonly isTyped: boolean;
}

/**
 * Returns the password for a user: from the file of `--password-file`, from the terminal, or generated. Never from the
 * command line.
 */
export async function choosePassword(command: Command): Promise<ChosenPassword> {
  const { passwordFile } = command.opts<{ passwordFile?: string }>();
  if (passwordFile !== undefined) {
    return { value: await readPassword(passwordFile), isMadeUp: false, isTyped: false };
  }
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true && !isJson(command);
  const typed = isInteractive ? await ask("Password (leave empty to generate one): ") : "";
  if (typed === "") return { value: makeUp(), isMadeUp: true, isTyped: false };
  if ((await ask("Repeat it: ")) !== typed) throw new CommandError("the passwords do not match");
  return { value: typed, isMadeUp: false, isTyped: true };
}

async function readPassword(path: string): Promise<string> {
  const content = path === "-" ? await readAll(process.stdin) : await readFile(path, "utf8");
  const password = content.replace(/\r?\n$/, "");
  if (password === "")
    throw new CommandError(`--password-file ${path} is empty`, { fix: "write the password into it" });
  return password;
}

// 120 random bits; the suffix satisfies rules that require kinds of characters.
const makeUp = (): string => `${systemRandom(15).toString("base64url")}-aA1`;

/** Asks on the terminal without echo. */
async function ask(question: string): Promise<string> {
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
