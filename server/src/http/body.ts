import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./request-refused.ts";

/**
 * Reads a body of at most `limit` bytes. It counts received bytes; a declared length only serves to refuse sooner.
 * HTTP/2 has no timeout for a single request, so a body that trickles is refused here.
 */
export async function readBytes(request: IncomingMessage, limit: number, timeout: number): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limit) throw tooLarge();
  const chunks = await collect(request, limit, timeout);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Decodes a body as text. Refuses invalid UTF-8. */
export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unreadable();
  return bytes.toString("utf8");
}

function collect(request: IncomingMessage, limit: number, timeout: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    // Errors are created only when needed: every request closes, and a stack trace is the most expensive part of
    // reading a body.
    const refuse = (makeReason: () => RequestRefused): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(slow);
      reject(makeReason());
    };
    const isTimedElsewhere = request.httpVersionMajor === 1;
    const slow = isTimedElsewhere ? undefined : setTimeout(() => refuse(tooSlow), timeout);
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners("data");
        refuse(tooLarge);
        return;
      }
      chunks.push(chunk);
    });
    request.on("end", () => {
      isSettled = true;
      clearTimeout(slow);
      resolve(chunks);
    });
    request.on("error", () => refuse(unreadable));
    request.on("close", () => refuse(unreadable));
  });
}

// The rest of the body would be read as the next request.
const close = { headers: { connection: "close" } } as const;

const tooLarge = (): RequestRefused => new RequestRefused(413, "request.too_large", close);
const tooSlow = (): RequestRefused => new RequestRefused(408, "request.malformed_body", close);
const unreadable = (): RequestRefused => new RequestRefused(400, "request.malformed_body", close);
