import { pipeline, Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { openStream, SealedStreamError } from "../../base/sealed-stream.ts";
import type { OnProgress } from "./content.ts";
import { type FileHeader, parseFileHeader } from "./file-header.ts";
import { type FileSecret, openFileKey } from "./file-key.ts";
import { type ContentPart, readContent } from "./read-content.ts";
import { TransferError } from "./transfer-error.ts";

/** A file whose first line was read. */
export interface OpenedExport {
  readonly header: FileHeader;
  /** Reads the content with the secret that protects it. Throws TransferError, also at the end. */
  read(secret: FileSecret, onProgress: OnProgress): AsyncIterable<ContentPart>;
}

const longestHeader = 16 * 1024;
const newline = 0x0a;

/** Reads the first line of a file. Throws TransferError for one that this program cannot read. */
export async function openExport(source: AsyncIterable<Uint8Array>): Promise<OpenedExport> {
  const iterator = source[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  let end = -1;
  while (end < 0 && read.length < longestHeader) {
    const next = await iterator.next();
    if (next.done === true) break;
    read = Buffer.concat([read, next.value]);
    end = read.indexOf(newline);
  }
  // Without an end, what was read is no header.
  const line = read.toString("utf8", 0, end + 1);
  const header = parseFileHeader(line);
  const rest = follow(read.subarray(end + 1), iterator);
  return { header, read: (secret, onProgress) => readRest({ header, line, rest }, secret, onProgress) };
}

interface Rest {
  readonly header: FileHeader;
  readonly line: string;
  readonly rest: AsyncIterable<Uint8Array>;
}

async function* readRest({ header, line, rest }: Rest, secret: FileSecret, onProgress: OnProgress) {
  const key = await openFileKey(secret, header.key);
  const opened = openStream(rest, { key, salt: Buffer.from(header.salt, "base64url"), header: line });
  try {
    yield* readContent(decompress(opened), onProgress);
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  if (error instanceof SealedStreamError) {
    const what = error.reason === "incomplete" ? "not complete" : "damaged or was changed";
    return new TransferError(`the file is ${what}: ${error.message}`, { cause: error });
  }
  const isCompression = error instanceof Error && "code" in error && String(error.code).startsWith("ZSTD_");
  return isCompression ? new TransferError("the file is damaged: it cannot be decompressed", { cause: error }) : error;
}

function decompress(opened: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // A failure of the source is thrown to those who read the decompressor.
  return pipeline(Readable.from(opened), createZstdDecompress(), () => {});
}

async function* follow(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}
