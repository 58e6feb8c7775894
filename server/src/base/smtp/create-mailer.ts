import { type Connect, OutboundError, type OutboundFailure } from "../outbound/index.ts";
import { compose } from "./compose.ts";
import { loadLibrary } from "./library.ts";
import type { Mail, SmtpServer } from "./mail.ts";
import { openSession } from "./open-session.ts";
import { SmtpError, type SmtpFailure } from "./smtp-error.ts";

export interface MailerOptions {
  readonly connect: Connect;
  /** Our name in the greeting of servers. */
  readonly name: string;
  /** Total timeout of one mail, from the lookup of the name to the last answer, in milliseconds. */
  readonly timeout?: number;
}

export interface Mailer {
  /**
   * Delivers one mail to a server; resolves when the server has accepted it. A server can only cause it to throw
   * `SmtpError`.
   */
  send(server: SmtpServer, mail: Mail, options?: SendOptions): Promise<void>;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Awaited when the server has accepted sender and recipient, before the first byte of the mail. If it throws, nothing
   * is sent.
   */
  readonly beforeHandOver?: (() => Promise<void>) | undefined;
}

const defaultTimeout = 40_000;

/** Creates the only way to SMTP servers, with a connection for each mail. */
export function createMailer({ connect, name, timeout = defaultTimeout }: MailerOptions): Mailer {
  return {
    send: async (server, mail, { signal: given, beforeHandOver } = {}) => {
      const library = await loadLibrary();
      const message = await compose(library, mail);
      const deadline = AbortSignal.timeout(timeout);
      const signal = given === undefined ? deadline : AbortSignal.any([deadline, given]);
      let isHandedOver = false;
      const handOver = async (): Promise<void> => {
        await beforeHandOver?.();
        isHandedOver = true;
      };
      try {
        const session = await openSession({ connect, library, name, signal }, server);
        try {
          if (server.credentials !== undefined) await session.login(server.credentials);
          await session.send({ from: mail.sender.address, to: mail.recipient }, message, handOver);
        } finally {
          session.end();
        }
      } catch (error) {
        const failed = deadline.aborted
          ? new SmtpError("timed_out")
          : given?.aborted === true
            ? new SmtpError("aborted")
            : worded(error);
        // Without an answer to the mail it is unknown whether it was accepted.
        const isUnknown = isHandedOver && failed instanceof SmtpError && failed.reason.status === undefined;
        throw isUnknown ? new SmtpError(failed.failure, { ...failed.reason, mayHaveArrived: true }) : failed;
      }
    },
  };
}

const failures: Partial<Record<OutboundFailure, SmtpFailure>> = {
  address_refused: "address_refused",
  target_refused: "address_refused",
  name_not_found: "name_not_found",
  tls_failed: "tls_failed",
  timed_out: "timed_out",
  aborted: "aborted",
};

function worded(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const failure = failures[error.failure] ?? "connection_failed";
  const { cause } = error;
  return new SmtpError(failure, typeof cause === "string" ? { code: cause } : {});
}
