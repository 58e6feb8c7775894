import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure, type TLSSocket } from "node:tls";
import { isMailServerAddress, isPublicAddress } from "./address.ts";
import { createAllowList } from "./allow-list.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { OutboundError } from "./outbound-error.ts";
import type { Resolve } from "./system-resolve.ts";

interface ConnectRequest {
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
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
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly trusted?: string;
}

/**
 * Creates the only way to servers with protocols other than HTTP. Such servers may be private and on this machine, but
 * never at the metadata addresses of clouds.
 */
export function createConnect({ allow, resolve, trusted }: ConnectOptions): Connect {
  const allowed = createAllowList(allow);
  const tls = {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(trusted !== undefined && { ca: trusted }),
  } as const;
  return {
    tls,
    open: async ({ host, port, signal }) => {
      const mayReach = (address: string): boolean =>
        isMailServerAddress(address) || allowed.mayReach({ host, isPlain: true }, address);
      if (isIP(host) !== 0 && !mayReach(host)) throw new OutboundError("address_refused");
      const socket = connectPlain({ host, port, lookup: guardedLookup(resolve, mayReach, signal) });
      await settled(socket, "connect", signal);
      if (!mayReach(socket.remoteAddress ?? "")) {
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
