import type { Command } from "commander";
import { systemRandom } from "../../base/random.ts";
import { askSecret, canAsk, readSecretFile } from "../ask-secret.ts";
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
    const value = await readSecretFile(passwordFile, { option: "--password-file", what: "the password" });
    return { value, isMadeUp: false, isTyped: false };
  }
  const typed = canAsk() && !isJson(command) ? await askSecret("Password (leave empty to generate one): ") : "";
  if (typed === "") return { value: makeUp(), isMadeUp: true, isTyped: false };
  if ((await askSecret("Repeat it: ")) !== typed) throw new CommandError("the passwords do not match");
  return { value: typed, isMadeUp: false, isTyped: true };
}

// 120 random bits; the suffix satisfies rules that require kinds of characters.
const makeUp = (): string => `${systemRandom(15).toString("base64url")}-aA1`;
