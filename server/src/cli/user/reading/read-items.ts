import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { CommandError } from "../../command-error.ts";
import { type Framer, FramingError, type RawItem } from "./framer.ts";

/** The most bytes of one entry: what a user may have (metadata: 1,000,000 characters), and room. */
export const largestItem = 2 * 1024 * 1024;

const chunkSize = 256 * 1024;

/** Reads the entries of a file one after the other. Throws `CommandError` for a file without the right form. */
export async function* readItems(path: string, framer: Framer): AsyncGenerator<RawItem> {
  const skipped = await readMark(path);
  const items: RawItem[] = [];
  const emit = (item: RawItem): void => {
    items.push({ ...item, offset: item.offset + skipped });
  };
  try {
    for await (const chunk of createReadStream(path, { start: skipped, highWaterMark: chunkSize })) {
      framer.push(chunk as Buffer, emit);
      yield* items.splice(0);
    }
    framer.end(emit);
    yield* items.splice(0);
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    throw new CommandError(`${path} cannot be read: ${error.message}`, { fix: "check that the export is complete" });
  }
}

/** Returns the first bytes of a file. */
export async function readStart(path: string, size: number): Promise<Buffer> {
  const file = await open(path).catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read`, { fix: "check its name, and who may read it", cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns the length of the byte order mark of UTF-8; refuses those of other encodings. */
async function readMark(path: string): Promise<number> {
  const start = await readStart(path, 3);
  const isWide = start.length >= 2 && [0xfeff, 0xfffe].includes(start.readUInt16BE(0));
  if (isWide) {
    throw new CommandError(`${path} is UTF-16`, { fix: `convert it: iconv -f UTF-16 -t UTF-8 ${path}` });
  }
  return start.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
}
