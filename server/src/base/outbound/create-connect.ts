import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure, type TLSSocket } from "node:tls";
import { isPublicAddress } from "./address.ts";
import { createAllowList } from "./allow-list.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { isLoopbackAddress } from "./loopback.ts";
import { OutboundError } from "./outbound-error.ts";
import type { Resolve } from "./system-resolve.ts";

/** A mail server: name or address, IPv6 without brackets. */
interface MailServer {
  readonly host: string;
  readonly port: number;
}

interface ConnectRequest extends MailServer {
  /** Stops waiting; does not affect an established connection. */
  readonly signal: AbortSignal;
}

/**
 * A connection to a mail server. One that breaks later is closed; its errors have a listener and cannot end the
 * process.
 */
interface Connection {
  readonly socket: Socket;
  /** Whether the other end is on the internet, rather than in a network of the operator. */
  readonly isPublic: boolean;
}

export interface Connect {
  /** Opens a connection. Throws only `OutboundError`. */
  open(request: ConnectRequest): Promise<Connection>;
  /** Starts TLS on a connection, and requires the host's certificate. Throws only `OutboundError`. */
  secure(socket: Socket, request: ConnectRequest): Promise<TLSSocket>;
  /** Requirements of TLS, for callers that start it in the middle of a conversation. */
  readonly tls: TlsDemands;
  /**
   * Whether `open` would try this server: `closed` when the rules keep it from every address of the host, `unknown`
   * when the host has no address now.
   */
  judge(server: MailServer): Promise<"open" | "closed" | "unknown">;
}

interface TlsDemands {
  readonly rejectUnauthorized: true;
  readonly minVersion: "TLSv1.2";
  readonly ca?: string;
}

export interface ConnectOptions {
  /** Networks and hosts that may be reached regardless of the rules (`DOORWARD_OUTBOUND_ALLOW`). */
  readonly allow: readonly string[];
  readonly resolve: Resolve;
  /** Whether allowed loopback addresses may be reached with any port: for development. */
  readonly isAnyLoopbackPortOpen?: boolean;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly trusted?: string;
}

// Submission by TLS and by STARTTLS (RFC 8314 §3.3, RFC 6409), relay (RFC 5321), and what providers offer beside them.
const mailPorts: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

/**
 * Creates the only way to servers with protocols other than HTTP: mail servers on the internet at the ports of mail.
 * Private servers, and this machine, have to be allowed, and so has any other port, by an entry that names it. An
 * administrator of an instance could otherwise examine the network that the server stands in.
 */
export function createConnect(options: ConnectOptions): Connect {
  const { allow, resolve, trusted, isAnyLoopbackPortOpen = false } = options;
  const allowed = createAllowList(allow);
  const mayReach = (server: MailServer, address: string): boolean => {
    if (allowed.namesPort(server, address)) return true;
    if (!mailPorts.has(server.port) && !(isAnyLoopbackPortOpen && isLoopbackAddress(address))) return false;
    return isPublicAddress(address) || allowed.isAllowed(server, address);
  };
  // What can be told without a name server is refused at once; it says nothing about any network.
  const isRefused = (server: MailServer): boolean =>
    isIP(server.host) === 0
      ? !mailPorts.has(server.port) && !allowed.knowsPort(server.port) && !isAnyLoopbackPortOpen
      : !mayReach(server, server.host);
  const tls = {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(trusted !== undefined && { ca: trusted }),
  } as const;
  return {
    tls,
    judge: async ({ host, port }) => {
      const server = { host: host.toLowerCase(), port };
      if (isRefused(server)) return "closed";
      if (isIP(host) !== 0) return "open";
      const addresses = await resolve(host).catch(() => []);
      if (addresses.length === 0) return "unknown";
      return addresses.some(({ address }) => mayReach(server, address)) ? "open" : "closed";
    },
    open: async ({ host, port, signal }) => {
      const server = { host: host.toLowerCase(), port };
      if (isRefused(server)) throw new OutboundError("target_refused");
      const mayConnect = (address: string): boolean => mayReach(server, address);
      const socket = connectPlain({ host, port, lookup: guardedLookup(resolve, mayConnect, signal) });
      await settled(socket, "connect", signal);
      if (!mayConnect(socket.remoteAddress ?? "")) {
        socket.destroy();
        throw new OutboundError("address_refused");
      }
      return { socket, isPublic: isPublicAddress(socket.remoteAddress ?? "") };
    },
    secure: async (socket, { host, signal }) => {
      const secured = connectSecure({ ...tls, socket, host, ...(isIP(host) === 0 && { servername: host }) });
      await settled(secured, "secureConnect", signal);
      return secured;
    },
  };
}

function settled(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> {
  // An error event without a listener would end the process.
  socket.on("error", () => {});
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      socket.destroy(new OutboundError("timed_out"));
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const finish = (): void => signal.removeEventListener("abort", abort);
    socket.once(event, () => {
      finish();
      resolve();
    });
    socket.once("error", (error) => {
      finish();
      socket.destroy();
      reject(worded(error, event, signal));
    });
    // A server that closes during the handshake emits no other event.
    socket.once("close", () => {
      finish();
      reject(new OutboundError(event === "connect" ? "connection_failed" : "tls_failed"));
    });
  });
}

function worded(error: unknown, event: "connect" | "secureConnect", signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return new OutboundError("timed_out");
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
  return new OutboundError(event === "connect" ? "connection_failed" : "tls_failed", { cause: code });
}
