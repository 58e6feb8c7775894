import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";

/**
 * Whether an exchange has ended, also because the client canceled it. Its "close" event was then emitted already, so
 * that a listener added now is never called. A response of HTTP/2 does not say so itself, but its stream does.
 */
export const isClosed = (response: ServerResponse | Http2ServerResponse): boolean =>
  "createPushResponse" in response ? (response.stream?.destroyed ?? true) : response.destroyed;
