import type { NodeResponse } from "./write-response.ts";

/**
 * Asks the client of HTTP/2 to send no more of a body that was answered before it was whole (RFC 9113 §8.1), once the
 * answer was sent. Otherwise the stream is kept until the body ends or its time is over.
 */
export function abandonBody(response: NodeResponse): void {
  if (!("createPushResponse" in response)) return;
  const { stream } = response;
  // Undefined once it is closed.
  if (stream === undefined || stream.readableEnded || stream.endAfterHeaders) return;
  // Not before: a stream that is being closed can neither time out nor be ended.
  if (stream.writableFinished) stream.close();
  else stream.once("finish", () => stream.close());
}
