import type { IncomingMessage } from "node:http";
import { seconds } from "./clock.ts";

/** How much of an unwanted body is read: more of it costs more than a new connection. */
const mostBytes = 64 * 1024;
const longestWait = seconds(1);

/**
 * Reads the rest of a request that is answered early, so that an HTTP/1.1 client finishes sending and sees the answer:
 * closing the connection meanwhile makes its write fail (EPIPE), and it never reads (RFC 9112 §9.6). Returns whether
 * the request is complete. Does not read a body that is large or slow; its connection has to be closed.
 */
export function drainBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(request.complete);
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return Promise.resolve(false);
  return new Promise((resolve) => {
    let size = 0;
    const stop = (): void => {
      clearTimeout(slow);
      request.off("data", count).off("end", stop).off("close", stop).off("error", stop);
      if (!request.complete) request.pause();
      resolve(request.complete);
    };
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > mostBytes) stop();
    };
    const slow = setTimeout(stop, longestWait);
    request.on("data", count).on("end", stop).on("close", stop).on("error", stop);
  });
}
