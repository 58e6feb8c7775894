import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { type ByteShare, retryAfterSeconds } from "../web/index.ts";
import { RequestRefused } from "./request-refused.ts";

export interface BodyLimits {
  /** Largest body in bytes. */
  readonly limit: number;
  /** Time for its arrival, in milliseconds. */
  readonly timeout: number;
  readonly share: ByteShare;
  /** The source that the bytes are counted for. */
  readonly source: string;
}

/**
 * Reads a body of at most `limit` bytes. It counts received bytes; a declared length only serves to refuse sooner.
 * HTTP/2 has no timeout for a single request, so a body that trickles is refused here.
 */
export async function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limits.limit) throw tooLarge();
  // A body that is asked for late may have ended too early by now, which is not reported again.
  if (request.destroyed || request.aborted) throw unreadable();
  const chunks = await collect(request, limits);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Decodes a body as text. Refuses invalid UTF-8. */
export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unreadable();
  return bytes.toString("utf8");
}

function collect(request: IncomingMessage, { limit, timeout, share, source }: BodyLimits): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
      clearTimeout(slow);
      counted.end();
    };
    // Errors are created only when needed: every request closes, and a stack trace is the most expensive part of
    // reading a body.
    const refuse = (makeReason: () => RequestRefused): void => {
      if (isSettled) return;
      settle();
      request.removeAllListeners("data");
      reject(makeReason());
    };
    const counted = share.begin(source, () => refuse(tooMany));
    const isTimedElsewhere = request.httpVersionMajor === 1;
    const slow = isTimedElsewhere ? undefined : setTimeout(() => refuse(tooSlow), timeout);
    // Before the first byte, because requests whose bodies never come are kept as well.
    if (!counted.take(0)) return refuse(tooMany);
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return refuse(tooLarge);
      if (!counted.take(chunk.length)) return refuse(tooMany);
      chunks.push(chunk);
    });
    request.on("end", () => {
      if (isSettled) return;
      settle();
      resolve(chunks);
    });
    request.on("error", () => refuse(unreadable));
    request.on("close", () => refuse(unreadable));
  });
}

// The rest of the body would be read as the next request.
const close = { headers: { connection: "close" } } as const;

const tooLarge = (): RequestRefused => new RequestRefused(413, "request.too_large", close);
const tooMany = (): RequestRefused =>
  new RequestRefused(429, "request.too_many", {
    headers: { ...close.headers, "retry-after": String(retryAfterSeconds) },
  });
const tooSlow = (): RequestRefused => new RequestRefused(408, "request.malformed_body", close);
const unreadable = (): RequestRefused => new RequestRefused(400, "request.malformed_body", close);
