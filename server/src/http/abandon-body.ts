import type { ServerHttp2Stream } from "node:http2";
import { seconds } from "../base/clock.ts";
import type { NodeResponse } from "./write-response.ts";

/** How long a body may continue after its response: a small one is already in transit, and the response must arrive. */
const grace = seconds(1);

/**
 * Asks the client of HTTP/2 to send no more of a body that was answered before it was whole (RFC 9113 §8.1), a second
 * after the answer was sent. Otherwise the stream is kept until the body ends or its time is over.
 */
export function abandonBody(response: NodeResponse): void {
  if (!("createPushResponse" in response)) return;
  const { stream } = response;
  // Undefined once it is closed.
  if (stream === undefined || stream.readableEnded || stream.endAfterHeaders) return;
  // Not before: a stream that is being closed can neither time out nor be ended.
  if (stream.writableFinished) closeSoon(stream);
  else stream.once("finish", () => closeSoon(stream));
}

function closeSoon(stream: ServerHttp2Stream): void {
  const timer = setTimeout(() => stream.close(), grace).unref();
  stream.once("close", () => clearTimeout(timer));
}
