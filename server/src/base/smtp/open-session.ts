import type { Socket } from "node:net";
import { OutboundError } from "../outbound/index.ts";
import type { SmtpServer } from "./mail.ts";
import { SmtpError } from "./smtp-error.ts";
import { type OpenDeps, type SmtpSession, startSession } from "./smtp-session.ts";

// RFC 8314 §3, RFC 3207: on these ports servers speak first and offer STARTTLS. Some treat clients that speak first as
// spammers.
const startTlsPorts: ReadonlySet<number> = new Set([25, 587]);

/**
 * Opens a session with a server that has sent its greeting. Where TLS is required it starts with TLS; where the server
 * does not speak TLS from the first byte, it tries again with STARTTLS.
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
  // An eavesdropper would get the password, and the mailbox with it.
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

/** Opens a connection with TLS; undefined when the server's answer was not TLS. */
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

// OpenSSL's errors for a first record that is not TLS; without such an error, the server hung up on bytes it could not
// read.
const isNotTls = (code: unknown): boolean =>
  code === undefined || code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG";
