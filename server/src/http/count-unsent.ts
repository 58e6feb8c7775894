import { constants } from "node:http2";
import { type ByteShare, isClosed } from "../web/index.ts";
import type { NodeResponse } from "./write-response.ts";

// A longer one counts as this, so that a source may have at least one of any length.
const mostOfOne = 8 * 1024 * 1024;

/**
 * Counts what is left of an answer that was written, until the client took it: an answer that is not read is kept. Ends
 * it when its source, or the process, has too much of these. Nothing is left where the system took all of it at once.
 */
export function countUnsent(response: NodeResponse, share: ByteShare, sourceOf: () => string): void {
  const unsent = unsentOf(response);
  if (unsent === 0 || isClosed(response)) return;
  const end = (): void => endResponse(response);
  const counted = share.begin(sourceOf(), end);
  if (counted.take(Math.min(unsent, mostOfOne))) response.once("close", () => counted.end());
  else end();
}

// A stream of HTTP/2 is undefined once it is closed.
const unsentOf = (response: NodeResponse): number =>
  "createPushResponse" in response ? (response.stream?.writableLength ?? 0) : response.writableLength;

function endResponse(response: NodeResponse): void {
  if ("createPushResponse" in response) response.stream?.close(constants.NGHTTP2_CANCEL);
  else response.req.socket.destroy();
}
