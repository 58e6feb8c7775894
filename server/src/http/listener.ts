import type { Server as Http1Server, RequestListener } from "node:http";
import {
  constants,
  createServer as createHttp2,
  type Http2Server,
  type Http2Stream,
  type ServerHttp2Session,
} from "node:http2";
import { createServer as createNet, type Server, type Socket } from "node:net";
import { getBuiltinModule } from "node:process";
import { blockOf, networkOf } from "../base/budget/network-of.ts";
import { plain } from "./client-address.ts";
import { headersTooLargeBody, refuseUnparsed } from "./refuse-unparsed.ts";

// An import reads every export of node:http, and reading WebSocket loads the client behind fetch: 5 MiB.
const { createServer: createHttp1 } = getBuiltinModule("node:http");

export interface ListenerLimits {
  /** Milliseconds until the headers must have arrived. */
  readonly headersTimeout: number;
  /** Milliseconds until the whole request must have arrived. */
  readonly requestTimeout: number;
  /** Milliseconds that a client may leave a response unread before the connection is cut. */
  readonly readTimeout: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepAliveTimeout: number;
  readonly maxConnections: number;
  /**
   * Connections of one network (`networkOf`), so that one stranger leaves room for others; proxies have no such limit.
   */
  readonly maxConnectionsPerSource: number;
  /** The same for all networks of a block (`blockOf`), because sites get many IPv6 networks. */
  readonly maxConnectionsPerBlock: number;
  /** Bytes of bodies that are being received from one network, if four of the largest are not more. */
  readonly maxBodyBytesPerSource: number;
  readonly maxHeaderSize: number;
}

export const defaultLimits: ListenerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  readTimeout: 60_000,
  keepAliveTimeout: 65_000,
  maxConnections: 10_000,
  maxConnectionsPerSource: 2_000,
  maxConnectionsPerBlock: 4_000,
  maxBodyBytesPerSource: 32 * 1024 * 1024,
  maxHeaderSize: 16_384,
};

export interface Listener {
  readonly server: Server;
  /** Listens; resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting, lets running requests finish for at most `graceMilliseconds`, then cuts the connections. */
  close(graceMilliseconds: number): Promise<void>;
}

const maxHeaderLines = 100;
const preface = Buffer.from("PRI * HTTP/2");

/**
 * Serves HTTP/1.1 and cleartext HTTP/2 on one port: the first bytes of a connection tell them apart (RFC 9113 §3.4).
 * gRPC clients use HTTP/2 with prior knowledge; other clients use HTTP/1.1.
 */
export function createListener(
  handler: RequestListener,
  limits: ListenerLimits = defaultLimits,
  isProxy: (address: string) => boolean = () => false,
): Listener {
  const http1 = createHttp1(
    {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: limits.maxHeaderSize,
      requireHostHeader: true,
      // RFC 9110 §9.3.6: CONNECT is for proxies, and this is not a proxy.
      insecureHTTPParser: false,
    },
    handler,
  );
  http1.maxHeadersCount = maxHeaderLines;
  http1.on("clientError", refuseUnparsed);
  // No data moved on the socket for this time: the client does not read. Between requests keepAliveTimeout applies.
  http1.setTimeout(limits.readTimeout);
  // It gets its connections from us and never listens, but only "listening" starts its checks for slow and idle
  // connections.
  http1.emit("listening");
  const http2 = createHttp2(
    {
      settings: { maxConcurrentStreams: 250, maxHeaderListSize: limits.maxHeaderSize },
      maxSessionMemory: 10,
      // Rapid reset, and floods of settings and of empty frames, end the session.
      maxSettings: 32,
      maxOutstandingPings: 10,
      streamResetBurst: 200,
      streamResetRate: 50,
      maxHeaderListPairs: maxHeaderLines,
    },
    limitHeaders(handler, limits.maxHeaderSize) as never,
  );
  const sockets = new Set<Socket>();
  const enter = createDoor(limits, isProxy);
  const sessions = trackSessions(http2, limits.keepAliveTimeout);
  http2.on("stream", (stream) => limitStream(stream, limits));
  const server = createNet({ noDelay: true }, (socket) => {
    if (!enter(socket)) return void socket.destroy();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    dispatch(socket, http1, http2, limits.headersTimeout);
  });
  server.maxConnections = limits.maxConnections;
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, 4096, () => {
          server.off("error", reject);
          const address = server.address();
          resolve(typeof address === "object" && address !== null ? address.port : port);
        });
      }),
    close: async (graceMilliseconds) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      http1.closeIdleConnections();
      for (const session of sessions) session.close();
      const idle = setInterval(() => http1.closeIdleConnections(), 50);
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMilliseconds);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      // Neither server listens itself; closing ends the timers that check their connections.
      http1.close();
      http2.close();
    },
  };
}

/** Returns whether a connection is let in, and counts it until it closes. */
function createDoor(limits: ListenerLimits, isProxy: (address: string) => boolean): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  const count = (network: string, added: 1 | -1): void => {
    const sum = (counts.get(network) ?? 0) + added;
    if (sum === 0) counts.delete(network);
    else counts.set(network, sum);
  };
  return (socket) => {
    const address = plain(socket.remoteAddress ?? "");
    if (isProxy(address)) return true;
    const source = networkOf(address);
    const block = blockOf(source);
    if ((counts.get(source) ?? 0) >= limits.maxConnectionsPerSource) return false;
    if ((counts.get(block) ?? 0) >= limits.maxConnectionsPerBlock) return false;
    const networks = block === source ? [source] : [source, block];
    for (const network of networks) count(network, 1);
    socket.once("close", () => {
      for (const network of networks) count(network, -1);
    });
    return true;
  };
}

function dispatch(socket: Socket, http1: Http1Server, http2: Http2Server, timeout: number): void {
  const destroy = (): void => void socket.destroy();
  // A silent connection never reaches a server with timeouts of its own.
  const silence = setTimeout(destroy, timeout);
  const onClose = (): void => clearTimeout(silence);
  socket.on("error", destroy);
  socket.once("close", onClose);
  let seen: Buffer = Buffer.alloc(0);
  const peek = (): void => {
    const bytes: Buffer | null = socket.read();
    if (bytes !== null) seen = Buffer.concat([seen, bytes]);
    const length = Math.min(seen.length, preface.length);
    const mayBeHttp2 = seen.subarray(0, length).equals(preface.subarray(0, length));
    if (mayBeHttp2 && length < preface.length) {
      // Kept here meanwhile: bytes that are put back would be readable immediately, and again, without end.
      socket.once("readable", peek);
      return;
    }
    socket.unshift(seen);
    clearTimeout(silence);
    socket.off("error", destroy);
    socket.off("close", onClose);
    (mayBeHttp2 ? http2 : http1).emit("connection", socket);
  };
  socket.once("readable", peek);
}

/** HTTP/2 announces the header limit only as advice (RFC 9113 §6.5.2); clients that ignore it are refused here. */
function limitHeaders(handler: RequestListener, maxSize: number): RequestListener {
  return (request, response) => {
    let size = 0;
    for (const part of request.rawHeaders) size += part.length;
    if (size <= maxSize) return handler(request, response);
    response.statusCode = 431;
    response.setHeader("content-type", headersTooLargeBody.type);
    response.end(headersTooLargeBody.text);
  };
}

/** HTTP/2 has no timeouts for single requests: a body that never ends would be kept as long as the connection. */
function limitStream(stream: Http2Stream, { requestTimeout, readTimeout }: ListenerLimits): void {
  // Later than the handler's timeout, which can send a proper response.
  const slow = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeout + 1_000);
  const stop = (): void => clearTimeout(slow);
  if (stream.readableEnded || stream.endAfterHeaders) stop();
  stream.once("end", stop);
  stream.once("close", stop);
  stream.setTimeout(readTimeout, () => stream.close(constants.NGHTTP2_CANCEL));
}

function trackSessions(http2: Http2Server, idleTimeout: number): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => {
    sessions.add(session);
    session.setTimeout(idleTimeout, () => session.close());
    session.on("error", () => session.destroy());
    session.once("close", () => sessions.delete(session));
  });
  http2.on("sessionError", () => undefined);
  return sessions;
}
