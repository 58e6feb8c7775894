import { TransferError } from "./transfer-error.ts";

/** A line: its bytes with the end of the line, and its text without it. */
interface Line {
  readonly bytes: Buffer;
  readonly text: string;
}

// Far above a row with the largest script, picture or document.
const longestLine = 64 * 1024 * 1024;
const newline = 0x0a;

/** Divides bytes into lines. The last one must end too. Throws TransferError. */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    let start = 0;
    for (let end = part.indexOf(newline); end >= 0; end = part.indexOf(newline, start)) {
      const bytes = Buffer.concat([...parts, part.subarray(start, end + 1)]);
      yield { bytes, text: bytes.toString("utf8", 0, bytes.length - 1) };
      parts = [];
      length = 0;
      start = end + 1;
    }
    if (start === part.length) continue;
    parts.push(part.subarray(start));
    length += part.length - start;
    if (length > longestLine) throw new TransferError("the file is damaged: a line is too long");
  }
  if (length > 0) throw new TransferError("the file is damaged: its last line has no end");
}
