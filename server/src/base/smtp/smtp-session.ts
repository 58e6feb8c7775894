import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Connect } from "../outbound/index.ts";
import type { Library } from "./library.ts";
import type { SmtpCredentials, SmtpServer } from "./mail.ts";
import { SmtpError, type SmtpReason } from "./smtp-error.ts";

export interface OpenDeps {
  readonly connect: Connect;
  readonly library: Library;
  /** Our name in the greeting of servers. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** A session with a server. Every call throws `SmtpError` when the server refuses or disconnects. */
export interface SmtpSession {
  login(credentials: SmtpCredentials): Promise<void>;
  /**
   * `handOver` is awaited when the server has accepted the envelope; the message follows. If it throws, its error is
   * thrown and no message is sent.
   */
  send(
    envelope: { readonly from: string; readonly to: string },
    message: Buffer,
    handOver: () => Promise<void>,
  ): Promise<void>;
  /** Sends QUIT when all went well, and closes the connection otherwise. */
  end(): void;
}

export interface Opened {
  readonly socket: Socket;
  /** `done` when it is already active; `demanded` by STARTTLS before anything else is sent. */
  readonly tls: "none" | "demanded" | "done";
}

/** Greets a server over a connection, and starts TLS when it is required. */
export async function startSession(
  { library, connect, name, signal }: OpenDeps,
  { host, port }: SmtpServer,
  { socket, tls }: Opened,
): Promise<SmtpSession> {
  const connection = new library.SMTPConnection({
    connection: socket,
    host,
    port,
    logger: false,
    // RFC 5321 §4.1.3: a client without a full name sends an address.
    name: name.includes(".") ? name : "[127.0.0.1]",
    secure: tls === "done",
    secured: tls === "done",
    requireTLS: tls === "demanded",
    ignoreTLS: tls === "none",
    tls: { ...connect.tls },
    customAuth: { [tokenMethod]: sendToken },
  });
  let isDone = false;
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // When no call is waiting at the moment, the next one receives the error.
  broken.catch(() => {});
  connection.on("error", (error: LibraryError) => reject(toSmtpError(error, connection.upgrading === true)));
  connection.once("end", () => reject(new SmtpError("protocol_error")));
  const abandon = (): void => {
    connection.close();
    socket.destroy();
    reject(new SmtpError("aborted"));
  };
  if (signal.aborted) abandon();
  else signal.addEventListener("abort", abandon, { once: true });

  const step = (begin: (done: (error?: LibraryError | null) => void) => void): Promise<void> => {
    const { promise, resolve, reject: refuse } = Promise.withResolvers<void>();
    begin((error) => (error ? refuse(toSmtpError(error, connection.upgrading === true)) : resolve()));
    return Promise.race([promise, broken]);
  };
  const end = (): void => {
    signal.removeEventListener("abort", abandon);
    if (isDone) connection.quit();
    else {
      connection.close();
      socket.destroy();
    }
  };
  try {
    await step((done) => connection.connect(done));
  } catch (error) {
    end();
    throw error;
  }
  return {
    login: async (credentials) => {
      if (!connection.allowsAuth) throw new SmtpError("authentication_unsupported");
      await step((done) => connection.login(toAuthentication(credentials), done));
    },
    send: async ({ from, to }, message, handOver) => {
      const refused = Promise.withResolvers<never>();
      const readMessage = async function* () {
        try {
          await handOver();
        } catch (error) {
          refused.reject(error);
          throw error;
        }
        yield message;
      };
      // The library reads the message when the server is ready for it.
      const stream = Readable.from(readMessage(), { objectMode: false });
      const sent = step((done) => connection.send({ from, to: [to] }, stream, done));
      await Promise.race([sent, refused.promise]);
      isDone = true;
    },
    end,
  };
}

// A name of our own: the library would offer a token to the first method that the server names.
const tokenMethod = "ACCESS-TOKEN";

function toAuthentication(credentials: SmtpCredentials) {
  const { user } = credentials;
  return credentials.kind === "password"
    ? { user, pass: credentials.password.reveal() }
    : { user, pass: credentials.accessToken.reveal(), method: tokenMethod };
}

interface TokenContext {
  readonly auth: { readonly user?: string | undefined; readonly pass?: string | undefined };
  readonly authMethods: readonly string[];
  sendCommand(command: string): Promise<{ readonly status: number }>;
}

// https://developers.google.com/workspace/gmail/imap/xoauth2-protocol: a refusal arrives as a challenge that has to be
// answered first.
async function sendToken({ auth, authMethods, sendCommand }: TokenContext): Promise<void> {
  if (!authMethods.includes("XOAUTH2")) throw new Error(unsupported);
  const response = `user=${auth.user ?? ""}\x01auth=Bearer ${auth.pass ?? ""}\x01\x01`;
  let { status } = await sendCommand(`AUTH XOAUTH2 ${Buffer.from(response, "utf8").toString("base64")}`);
  if (status === 334) ({ status } = await sendCommand(""));
  if (status !== 235) throw new Error("refused");
}

const unsupported = "the server does not offer XOAUTH2";

/** The library's description of a failure; its message quotes the server. */
interface LibraryError extends Error {
  readonly code?: string | undefined;
  readonly originalCode?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

function toSmtpError(error: LibraryError, isUpgrading: boolean): SmtpError {
  const { code, command = "", responseCode: status } = error;
  const reason: SmtpReason = { status, enhancedStatus: enhancedStatusOf(error.response), code: error.originalCode };
  // RFC 4954 §6, RFC 3207 §4: authentication, or TLS, is required first.
  if (status === 530) return new SmtpError("authentication_required", reason);
  switch (code) {
    case "EAUTH": {
      const isUnsupported = status === undefined || [500, 502, 503, 504, 534, 538].includes(status);
      return new SmtpError(isUnsupported ? "authentication_unsupported" : "authentication_failed", reason);
    }
    case "EENVELOPE":
      if (command === "MAIL FROM") return new SmtpError("sender_refused", reason);
      return new SmtpError(command === "RCPT TO" ? "recipient_refused" : "message_refused", reason);
    case "EMESSAGE":
      return new SmtpError("message_refused", reason);
    case "ETLS":
      return new SmtpError(status === undefined ? "tls_failed" : "starttls_unsupported", reason);
    case "ESOCKET":
      return new SmtpError(isUpgrading ? "tls_failed" : "connection_failed", reason);
    case "ETIMEDOUT":
      return new SmtpError("timed_out");
    default:
      return new SmtpError("protocol_error", reason);
  }
}

const enhancedStatusOf = (response: string | undefined): string | undefined =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1];
