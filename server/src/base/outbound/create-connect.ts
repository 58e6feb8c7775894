import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure, type TLSSocket } from "node:tls";
import { isPublicAddress } from "./address.ts";
import { createAllowList } from "./allow-list.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { isLoopbackAddress } from "./loopback.ts";
import { OutboundError } from "./outbound-error.ts";
import type { Resolve } from "./system-resolve.ts";

/** A server: name or address, IPv6 without brackets. */
interface Server {
  readonly host: string;
  readonly port: number;
}

interface ConnectRequest extends Server {
  /** Stops waiting; does not affect an established connection. */
  readonly signal: AbortSignal;
}

/**
 * A connection to a server. One that breaks later is closed; its errors have a listener and cannot end the
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
  /**
   * Starts TLS on a connection, and requires the host's certificate; `trusted` are certificates (PEM) that are trusted
   * instead of all others. Throws only `OutboundError`.
   */
  secure(socket: Socket, request: ConnectRequest & { readonly trusted?: string | undefined }): Promise<TLSSocket>;
  /** Requirements of TLS, for callers that start it in the middle of a conversation. */
  readonly tls: TlsDemands;
  /**
   * Whether `open` would try this server: `closed` when the rules keep it from every address of the host, `unknown`
   * when the host has no address now.
   */
  judge(server: Server): Promise<"open" | "closed" | "unknown">;
  /** Whether the rules leave the server open, as far as that can be told without a lookup of its name. */
  mayTry(server: Server): boolean;
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
  /** The ports that may be reached without an entry that names them; those of mail by default. */
  readonly ports?: ReadonlySet<number>;
  /** Whether allowed loopback addresses may be reached with any port: for development. */
  readonly isAnyLoopbackPortOpen?: boolean;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly trusted?: string;
}

// Submission by TLS and by STARTTLS (RFC 8314 §3.3, RFC 6409), relay (RFC 5321), and what providers offer beside them.
const mailPorts: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

/** The ports of directories: LDAP and LDAPS (RFC 4516, IANA), and those of Active Directory's global catalog. */
export const directoryPorts: ReadonlySet<number> = new Set([389, 636, 3268, 3269]);

/**
 * Creates the only way to servers with protocols other than HTTP: servers on the internet at the ports of one protocol.
 * Private servers, and this machine, have to be allowed, and so has any other port, by an entry that names it. An
 * administrator of an instance could otherwise examine the network that the server stands in.
 */
export function createConnect(options: ConnectOptions): Connect {
  const { allow, resolve, trusted, ports = mailPorts, isAnyLoopbackPortOpen = false } = options;
  const allowed = createAllowList(allow);
  const mayReach = (server: Server, address: string): boolean => {
    if (allowed.namesPort(server, address)) return true;
    if (!ports.has(server.port) && !(isAnyLoopbackPortOpen && isLoopbackAddress(address))) return false;
    return isPublicAddress(address) || allowed.isAllowed(server, address);
  };
  // What can be told without a name server is refused at once; it says nothing about any network.
  const isRefused = (server: Server): boolean =>
    isIP(server.host) === 0
      ? !ports.has(server.port) && !allowed.knowsPort(server.port) && !isAnyLoopbackPortOpen
      : !mayReach(server, server.host);
  const tls = {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(trusted !== undefined && { ca: trusted }),
  } as const;
  return {
    tls,
    mayTry: ({ host, port }) => !isRefused({ host: host.toLowerCase(), port }),
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
    secure: async (socket, { host, signal, trusted: ca = trusted }) => {
      const demands = { ...tls, ...(ca !== undefined && { ca }) };
      const secured = connectSecure({ ...demands, socket, host, ...(isIP(host) === 0 && { servername: host }) });
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
