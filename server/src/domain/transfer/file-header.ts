import { createHash } from "node:crypto";
import { isRecord, parseJson } from "../../base/json.ts";
import { knownMigrations, type Snapshot } from "../../database/index.ts";
import type { FileKeyHint } from "./file-key.ts";
import { TransferError } from "./transfer-error.ts";

/** The form of files that this program writes; it reads no other. */
const format = 1;
const type = "doorward export";

/** The first line of a file, in clear text and authenticated with the rest: what it is, and what reading it needs. */
export interface FileHeader {
  readonly type: typeof type;
  readonly format: number;
  /** Version of the program that wrote it. */
  readonly product: string;
  readonly createdAt: string;
  /** The last migration of the database, and a digest of all. */
  readonly migration: { readonly number: number; readonly name: string; readonly digest: string };
  readonly compression: "zstd";
  readonly cipher: "aes-256-gcm";
  readonly key: FileKeyHint;
  /** From which, with the key, the key of the stream is derived. */
  readonly salt: string;
}

/** Returns the header of a new file. */
export function makeFileHeader(given: Pick<FileHeader, "product" | "createdAt" | "key" | "salt">): FileHeader {
  const { product, createdAt, key, salt } = given;
  return {
    type,
    format,
    product,
    createdAt,
    migration: ownMigration(),
    compression: "zstd",
    cipher: "aes-256-gcm",
    key,
    salt,
  };
}

/** The last migration of this program, and a digest of all. */
const ownMigration = (): FileHeader["migration"] => lastOf(knownMigrations());

/** Whether a database has the migrations of this program, no more and no less. */
export const hasOwnMigrations = (applied: Snapshot["migrations"]): boolean =>
  lastOf(applied).digest === ownMigration().digest;

function lastOf(migrations: Snapshot["migrations"]): FileHeader["migration"] {
  const last = migrations.at(-1);
  const digest = createHash("sha256")
    .update(migrations.map(({ number, checksum }) => `${number} ${checksum}\n`).join(""))
    .digest("base64url");
  return { number: last?.number ?? 0, name: last?.name ?? "", digest };
}

/** Parses the first line of a file. Throws TransferError for a file of another kind or of a newer form. */
export function parseFileHeader(line: string): FileHeader {
  const header = tryParse(line);
  if (!isRecord(header) || header["type"] !== type) throw new TransferError("the file is not an export of Doorward");
  if (header["format"] !== format) {
    throw new TransferError(
      `the file has format ${String(header["format"])}, and this program reads format ${format}`,
      { fix: `use version ${String(header["product"])} of Doorward, which wrote it, or a later one` },
    );
  }
  if (!isFileHeader(header)) throw new TransferError("the file is damaged: its header is not complete");
  return header;
}

function tryParse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/** Says why a file cannot be loaded by this program; undefined when it can. */
export function explainOtherMigration({ migration, product }: FileHeader): string | undefined {
  const own = ownMigration();
  if (migration.digest === own.digest) return undefined;
  const theirs = `${migration.number} (${migration.name})`;
  const ours = `${own.number} (${own.name})`;
  if (migration.number > own.number) {
    return `the file is newer than this program: its last migration is ${theirs}, and that of this program ${ours}. Use version ${product} or a later one`;
  }
  if (migration.number < own.number) {
    return `the file is older than this program: its last migration is ${theirs}, and that of this program ${ours}. Import it with version ${product} and upgrade then, or upgrade its source and export again`;
  }
  return `the file was made with other migrations up to ${theirs} than this program has. Use the build that made it`;
}

const isText = (value: unknown): value is string => typeof value === "string";

function isFileHeader(header: Record<string, unknown>): header is Record<string, unknown> & FileHeader {
  const { product, createdAt, migration, compression, cipher, key, salt } = header;
  return (
    [product, createdAt, salt].every(isText) &&
    compression === "zstd" &&
    cipher === "aes-256-gcm" &&
    isRecord(migration) &&
    Number.isSafeInteger(migration["number"]) &&
    isText(migration["name"]) &&
    isText(migration["digest"]) &&
    isHint(key)
  );
}

function isHint(key: unknown): boolean {
  if (!isRecord(key) || !isText(key["id"])) return false;
  if (key["kind"] === "key") return true;
  const cost = key["argon2id"];
  if (key["kind"] !== "passphrase" || !isRecord(cost) || !isText(cost["salt"])) return false;
  return [cost["memory"], cost["passes"], cost["lanes"]].every(
    (part) => Number.isSafeInteger(part) && Number(part) > 0,
  );
}
