import type { Command } from "commander";
import { parseMasterKey } from "../../base/master-key.ts";
import { Secret } from "../../base/secret.ts";
import { type FileSecret, shortestPassphrase } from "../../domain/transfer/index.ts";
import { askSecret, canAsk, readSecretFile } from "../ask-secret.ts";
import { isJson } from "../command-context.ts";
import { CommandError } from "../command-error.ts";

/** Returns the key or passphrase of the options, or asks for a passphrase; twice for a new file. */
export async function readFileSecret(command: Command, { isNew }: { readonly isNew: boolean }): Promise<FileSecret> {
  const { keyFile, passphraseFile } = command.opts<{ keyFile?: string; passphraseFile?: string }>();
  if (keyFile !== undefined && passphraseFile !== undefined) {
    throw new CommandError("there is a key and a passphrase", { fix: "give --key-file or --passphrase-file" });
  }
  if (keyFile !== undefined) return { kind: "key", key: await readKey(keyFile) };
  const passphrase =
    passphraseFile === undefined
      ? await ask(command, isNew)
      : await readSecretFile(passphraseFile, { option: "--passphrase-file", what: "the passphrase" });
  return { kind: "passphrase", passphrase: new Secret(passphrase) };
}

async function readKey(path: string) {
  const text = await readSecretFile(path, { option: "--key-file", what: "the output of: openssl rand -base64 32" });
  try {
    return parseMasterKey(text);
  } catch (cause) {
    throw new CommandError(`--key-file ${path} is not a key`, { fix: "make one with: openssl rand -base64 32", cause });
  }
}

async function ask(command: Command, isNew: boolean): Promise<string> {
  if (!canAsk() || isJson(command)) {
    throw new CommandError("the file is encrypted, and there is neither a key nor a passphrase", {
      fix: "give --key-file or --passphrase-file",
    });
  }
  if (!isNew) return askSecret("Passphrase of the file: ");
  const passphrase = await askSecret(`Passphrase for the file (${shortestPassphrase} characters at least): `);
  if ((await askSecret("Repeat it: ")) !== passphrase) throw new CommandError("the passphrases do not match");
  return passphrase;
}
