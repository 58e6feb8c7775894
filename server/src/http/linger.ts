import type { Socket } from "node:net";
import { seconds } from "../base/clock.ts";

/** How long a client has to read a response that was sent before the end of its request. */
const lingering = seconds(1);

/**
 * Lets the client read the response before the connection is cut. Closing while the client still sends is a reset,
 * which makes its system discard unread data (RFC 9112 §9.6). Nothing more is read meanwhile, so it costs a socket and
 * no work.
 */
export function lingerBeforeClosing(socket: Socket): void {
  // `node:http` calls this when the last response of a connection was written.
  socket.destroySoon = () => {
    socket.end();
    socket.pause();
    setTimeout(() => socket.destroy(), lingering).unref();
  };
}
