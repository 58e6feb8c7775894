import { pipeline, Readable } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";
import type { Clock } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";
import { sealStream } from "../../base/sealed-stream.ts";
import { version } from "../../base/version.ts";
import type { OnProgress } from "./content.ts";
import { type FileHeader, hasOwnMigrations, makeFileHeader } from "./file-header.ts";
import { type FileSecret, makeFileKey } from "./file-key.ts";
import { TransferError } from "./transfer-error.ts";
import { type ContentSource, type WrittenContent, writeContent } from "./write-content.ts";

export interface ExportOptions extends ContentSource {
  readonly secret: FileSecret;
  readonly clock: Clock;
  readonly random: Random;
  readonly onProgress: OnProgress;
}

export interface Export {
  readonly header: FileHeader;
  /** The bytes of the file. Only a file with all of them can be read. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What was written; complete once the bytes have ended. */
  readonly written: WrittenContent;
}

const saltSize = 32;

/** Begins to export a database, or one instance of it, as a compressed and sealed file. Throws TransferError. */
export async function writeExport({ secret, clock, random, onProgress, ...source }: ExportOptions): Promise<Export> {
  if (!hasOwnMigrations(source.snapshot.migrations)) {
    throw new TransferError("the database does not have the migrations of this program", {
      fix: "use the version that runs on it",
    });
  }
  const { key, hint } = await makeFileKey(secret, random);
  const salt = random(saltSize);
  const createdAt = new Date(clock()).toISOString();
  const header = makeFileHeader({ product: version, createdAt, key: hint, salt: salt.toString("base64url") });
  const line = `${JSON.stringify(header)}\n`;
  const written: WrittenContent = { contents: undefined, digest: "", unreadable: 0 };
  const content = writeContent(source, written, onProgress);
  return { header, bytes: begin(line, sealStream(compress(content), { key, salt, header: line })), written };
}

async function* begin(line: string, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line, "utf8");
  yield* rest;
}

function compress(content: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  // A failure of the content is thrown to those who read the compressor.
  return pipeline(Readable.from(content), compressor, () => {});
}
