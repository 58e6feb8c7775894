import { zstdDecompressSync } from "node:zlib";
import { generateMasterKey, type MasterKey, parseMasterKey } from "../../../src/base/master-key.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { openStream } from "../../../src/base/sealed-stream.ts";
import { Secret } from "../../../src/base/secret.ts";
import { createVault, type Vault } from "../../../src/base/vault.ts";
import { type DatabaseLocation, openSnapshot } from "../../../src/database/index.ts";
import {
  type FileSecret,
  loadExport,
  openExport,
  type ReadExport,
  writeExport,
} from "../../../src/domain/transfer/index.ts";

/** The key of all files of these tests. */
export const fileKey: MasterKey = parseMasterKey(generateMasterKey(systemRandom));
export const fileSecret: FileSecret = { kind: "key", key: fileKey };

/** A master key of a new installation: as a setting, and as what seals. */
export function makeMasterKey(): { readonly setting: Secret; readonly vault: Vault } {
  const text = generateMasterKey(systemRandom);
  return { setting: new Secret(text), vault: createVault({ writing: parseMasterKey(text), random: systemRandom }) };
}

export interface TestExport {
  readonly file: Buffer;
  readonly digest: string;
  readonly unreadable: number;
}

/** Exports a database into memory. */
export async function exportFrom(
  location: DatabaseLocation,
  vault: Pick<Vault, "decrypt">,
  { instanceId, secret = fileSecret }: { readonly instanceId?: string; readonly secret?: FileSecret } = {},
): Promise<TestExport> {
  const snapshot = await openSnapshot(location);
  try {
    const options = { clock: () => 0, random: systemRandom, onProgress: () => {}, secret, instanceId };
    const { bytes, written } = await writeExport({ snapshot, vault, ...options });
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    return { file: Buffer.concat(parts), digest: written.digest, unreadable: written.unreadable };
  } finally {
    await snapshot.close();
  }
}

/** Imports a file into the database at a location. */
export async function importInto(
  location: DatabaseLocation,
  file: AsyncIterable<Uint8Array> | Buffer,
  { vault, secret = fileSecret }: { readonly vault: Pick<Vault, "encrypt">; readonly secret?: FileSecret },
): Promise<ReadExport> {
  const opened = await openExport(Buffer.isBuffer(file) ? inPieces(file) : file);
  const deps = { location, makeVault: async () => vault, clock: () => 0 };
  return loadExport(
    deps,
    opened.header,
    opened.read(secret, () => {}),
  );
}

/** A file in pieces, as a disk gives it. */
export async function* inPieces(file: Buffer, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.length; start += size) yield file.subarray(start, start + size);
}

/** The first line of a file, and everything that was sealed, in clear text. */
export async function openFile(file: Buffer): Promise<{ readonly header: string; readonly lines: readonly string[] }> {
  const end = file.indexOf("\n") + 1;
  const header = file.toString("utf8", 0, end);
  const { salt } = JSON.parse(header) as { salt: string };
  const seal = { key: fileKey.key, salt: Buffer.from(salt, "base64url"), header };
  const parts: Uint8Array[] = [];
  for await (const part of openStream(inPieces(file.subarray(end)), seal)) parts.push(part);
  const content = zstdDecompressSync(Buffer.concat(parts)).toString("utf8");
  return { header, lines: content.trimEnd().split("\n") };
}
