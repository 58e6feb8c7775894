import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from "node:crypto";

// STREAM (Hoang, Reyhanitabar, Rogaway, Vizár: Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance,
// 2015), as age uses it: chunks are numbered and the last one is marked, so that none can be changed, moved, left out
// or appended.
const algorithm = "aes-256-gcm";
const keySize = 32;
const nonceSize = 12;
const tagSize = 16;
const chunkSize = 64 * 1024;
const sealedSize = chunkSize + tagSize;

/** Why a sealed stream was refused: it does not end as it was written, or it is not what was written. */
export type SealedStreamRefusal = "incomplete" | "altered";

/** Thrown for a sealed stream that is not as it was written, or was sealed under another key. */
export class SealedStreamError extends Error {
  override readonly name = "SealedStreamError";
  readonly reason: SealedStreamRefusal;

  constructor(reason: SealedStreamRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What a stream is sealed with. */
export interface StreamSeal {
  /** A key of any number of streams. */
  readonly key: KeyObject;
  /** Random, and different for each stream: from it and the key a key of the stream is derived. */
  readonly salt: Buffer;
  /** What stands before the stream in clear text; with another one the stream is refused. */
  readonly header: string;
}

/** Seals a stream of bytes in chunks. */
export async function* sealStream(source: AsyncIterable<Uint8Array>, seal: StreamSeal): AsyncGenerator<Buffer> {
  const key = streamKey(seal);
  let number = 0;
  let waiting: Buffer | undefined;
  for await (const chunk of chunksOf(source, chunkSize)) {
    if (waiting !== undefined) yield sealChunk(key, seal, nonceOf(number++, false), waiting);
    waiting = chunk;
  }
  yield sealChunk(key, seal, nonceOf(number, true), waiting ?? Buffer.alloc(0));
}

/**
 * Opens a stream that `sealStream` sealed. A chunk is passed on once it is authenticated, so that what was read before
 * the end counts only after it. Throws SealedStreamError.
 */
export async function* openStream(source: AsyncIterable<Uint8Array>, seal: StreamSeal): AsyncGenerator<Buffer> {
  const key = streamKey(seal);
  let number = 0;
  let waiting: Buffer | undefined;
  for await (const chunk of chunksOf(source, sealedSize)) {
    if (waiting !== undefined) yield openChunk(key, seal, { number: number++, isLast: false }, waiting);
    waiting = chunk;
  }
  if (waiting === undefined) throw new SealedStreamError("incomplete", "it ends before its content");
  yield openChunk(key, seal, { number, isLast: true }, waiting);
}

const streamKey = ({ key, salt }: StreamSeal): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, "doorward sealed stream", keySize));

/** Eleven bytes of the number, and whether the chunk is the last one. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceSize);
  nonce.writeUIntBE(number, nonceSize - 7, 6);
  nonce.writeUInt8(isLast ? 1 : 0, nonceSize - 1);
  return nonce;
}

function sealChunk(key: Buffer, { header }: StreamSeal, nonce: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagSize });
  cipher.setAAD(Buffer.from(header, "utf8"));
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function openChunk(
  key: Buffer,
  seal: StreamSeal,
  { number, isLast }: { readonly number: number; readonly isLast: boolean },
  sealed: Buffer,
): Buffer {
  const opened = tryOpen(key, seal, nonceOf(number, isLast), sealed);
  if (opened !== undefined) return opened;
  if (isLast && tryOpen(key, seal, nonceOf(number, false), sealed) !== undefined) {
    throw new SealedStreamError("incomplete", `it ends after ${number + 1} chunks, and more were written`);
  }
  throw new SealedStreamError("altered", `chunk ${number + 1} is not what was written`);
}

function tryOpen(key: Buffer, { header }: StreamSeal, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tagSize) return undefined;
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize });
  const end = sealed.length - tagSize;
  decipher.setAAD(Buffer.from(header, "utf8"));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Divides a stream into pieces of one size; the last one may be shorter. */
async function* chunksOf(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    parts.push(part);
    length += part.length;
    if (length < size) continue;
    const all = Buffer.concat(parts);
    let start = 0;
    for (; all.length - start >= size; start += size) yield all.subarray(start, start + size);
    parts = start === all.length ? [] : [all.subarray(start)];
    length = all.length - start;
  }
  if (length > 0) yield Buffer.concat(parts);
}
