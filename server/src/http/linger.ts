import type { Socket } from "node:net";

/** Milliseconds that a client has to read an answer that came before the end of its request. */
const lingering = 1_000;

/**
 * Lets the client read the answer before the connection is cut. Closing while it still sends is a reset, and a reset makes its system throw
 * away what it has not read yet (RFC 9112 §9.6). Nothing more is taken from it meanwhile, so it costs a socket and no work.
 */
export function lingerBeforeClosing(socket: Socket): void {
  // What `node:http` calls when the last answer of a connection was written.
  socket.destroySoon = () => {
    socket.end();
    socket.pause();
    setTimeout(() => socket.destroy(), lingering).unref();
  };
}
