import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { MasterKey } from "../../base/master-key.ts";
import type { Random } from "../../base/random.ts";
import type { Secret } from "../../base/secret.ts";
import { TransferError } from "./transfer-error.ts";

/** What the operator protects a file with: a key of 32 bytes, or a passphrase. */
export type FileSecret =
  | { readonly kind: "key"; readonly key: MasterKey }
  | { readonly kind: "passphrase"; readonly passphrase: Secret };

/** What the header of a file says about its key; reveals nothing about it. */
export type FileKeyHint = { readonly id: string } & (
  | { readonly kind: "key" }
  | { readonly kind: "passphrase"; readonly argon2id: Argon2Cost & { readonly salt: string } }
);

interface Argon2Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Characters of a passphrase, which can be guessed at leisure by those who have the file. */
export const shortestPassphrase = 16;

// RFC 9106 §4, the second recommended option, with twice the memory.
const cost: Argon2Cost = { memory: 128 * 1024, passes: 3, lanes: 4 };
// What a file may demand of those who open it.
const mostCost: Argon2Cost = { memory: 1024 * 1024, passes: 20, lanes: 16 };
const saltSize = 16;

export interface FileKey {
  readonly key: KeyObject;
  readonly hint: FileKeyHint;
}

/** Makes the key of a new file. */
export async function makeFileKey(secret: FileSecret, random: Random): Promise<FileKey> {
  if (secret.kind === "key") return { key: secret.key.key, hint: { kind: "key", id: idOf(secret.key.key) } };
  const { passphrase } = secret;
  if (passphrase.reveal().length < shortestPassphrase) {
    throw new TransferError(`the passphrase is too short: ${shortestPassphrase} characters at least`);
  }
  const salt = random(saltSize);
  const key = await derive(passphrase, salt, cost);
  return {
    key,
    hint: { kind: "passphrase", id: idOf(key), argon2id: { ...cost, salt: salt.toString("base64url") } },
  };
}

/** Finds the key of a file. Throws TransferError when it is another one. */
export async function openFileKey(secret: FileSecret, hint: FileKeyHint): Promise<KeyObject> {
  if (secret.kind !== hint.kind) {
    throw new TransferError(`the file was made with a ${nameOf(hint.kind)}, and not with a ${nameOf(secret.kind)}`, {
      fix: hint.kind === "key" ? "give it with --key-file" : "give it with --passphrase-file, or enter it",
    });
  }
  const key = secret.kind === "key" ? secret.key.key : await deriveAgain(secret.passphrase, hint);
  if (idOf(key) !== hint.id)
    throw new TransferError(`this is not the ${nameOf(hint.kind)} that the file was made with`);
  return key;
}

const nameOf = (kind: FileSecret["kind"]): string => (kind === "key" ? "key file" : "passphrase");

async function deriveAgain(passphrase: Secret, hint: FileKeyHint): Promise<KeyObject> {
  if (hint.kind !== "passphrase") throw new Error("a key is not derived");
  const { salt, ...own } = hint.argon2id;
  for (const part of ["memory", "passes", "lanes"] as const) {
    if (own[part] > mostCost[part]) throw new TransferError(`the file is damaged: its key costs too much ${part}`);
  }
  return derive(passphrase, Buffer.from(salt, "base64url"), own);
}

async function derive(passphrase: Secret, salt: Buffer, { memory, passes, lanes }: Argon2Cost): Promise<KeyObject> {
  const { hashRaw } = await import("@node-rs/argon2");
  // Keyboards of different systems write the same text with different characters.
  const text = passphrase.reveal().normalize("NFC");
  const options = { memoryCost: memory, timeCost: passes, parallelism: lanes, outputLen: 32, salt };
  return createSecretKey(await hashRaw(text, { ...options, algorithm: argon2id }));
}

// `Algorithm.Argon2id`, an enum that exists only for the compiler.
const argon2id = 2;

const idOf = (key: KeyObject): string =>
  createHmac("sha256", key).update("doorward export key id").digest().subarray(0, 6).toString("base64url");
