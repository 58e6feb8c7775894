import type { Socket } from "node:net";
import { OutboundError } from "../outbound/index.ts";
import type { SmtpServer } from "./mail.ts";
import { SmtpError } from "./smtp-error.ts";
import { type OpenDeps, type SmtpSession, startSession } from "./smtp-session.ts";

// RFC 8314 §3, RFC 3207: there servers speak first and offer STARTTLS. Some take who speaks before them for a spammer.
const startTlsPorts: ReadonlySet<number> = new Set([25, 587]);

/**
 * Opens a conversation with a server that has greeted us. Where TLS is demanded it begins with TLS, and where the server does not speak TLS from
 * the first byte, again with STARTTLS.
 */
export async function openSession(deps: OpenDeps, server: SmtpServer): Promise<SmtpSession> {
  if (!server.requiresTls) return openPlain(deps, server);
  if (startTlsPorts.has(server.port)) return openWithStartTls(deps, server);
  const socket = await openSecure(deps, server);
  if (socket === undefined) return openWithStartTls(deps, server);
  return startSession(deps, server, { socket, tls: "done" });
}

async function openPlain(deps: OpenDeps, server: SmtpServer): Promise<SmtpSession> {
  const { socket, isPublic } = await deps.connect.open({ ...server, signal: deps.signal });
  // Whoever listens on the way would have the password, and the mailbox with it.
  if (isPublic && server.credentials !== undefined) {
    socket.destroy();
    throw new SmtpError("authentication_unencrypted");
  }
  return startSession(deps, server, { socket, tls: "none" });
}

async function openWithStartTls(deps: OpenDeps, server: SmtpServer): Promise<SmtpSession> {
  const { socket } = await deps.connect.open({ ...server, signal: deps.signal });
  return startSession(deps, server, { socket, tls: "demanded" });
}

/** A connection with TLS; undefined when the server answered something that is not TLS. */
async function openSecure(deps: OpenDeps, server: SmtpServer): Promise<Socket | undefined> {
  const request = { host: server.host, port: server.port, signal: deps.signal };
  const { socket } = await deps.connect.open(request);
  try {
    return await deps.connect.secure(socket, request);
  } catch (error) {
    socket.destroy();
    if (error instanceof OutboundError && error.failure === "tls_failed" && isNotTls(error.cause)) return undefined;
    throw error;
  }
}

// OpenSSL's words for a first record that is none; without any the server hung up on what it could not read.
const isNotTls = (code: unknown): boolean =>
  code === undefined || code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG";
