import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "../clock.ts";
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

// How long a server may take until it has greeted. Servers that delay strangers do so for a few seconds.
const longestGreeting = seconds(10);

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
  /**
   * Whether a server that does not greet fails after the same time in any case, so that closed, silent and foreign
   * ports cannot be told apart by a clock.
   */
  readonly isEven?: boolean | undefined;
}

const defaultTimeout = seconds(40);

/** Creates the only way to SMTP servers, with a connection for each mail. */
export function createMailer({ connect, name, timeout = defaultTimeout }: MailerOptions): Mailer {
  return {
    send: async (server, mail, { signal: given, beforeHandOver, isEven = false } = {}) => {
      const library = await loadLibrary();
      const message = await compose(library, mail);
      const deadline = AbortSignal.timeout(timeout);
      const greeting = startGreeting(Math.min(longestGreeting, timeout));
      const signal = AbortSignal.any([deadline, greeting.signal, ...(given === undefined ? [] : [given])]);
      let isHandedOver = false;
      const handOver = async (): Promise<void> => {
        await beforeHandOver?.();
        isHandedOver = true;
      };
      try {
        const session = await openSession({ connect, library, name, signal }, server);
        greeting.done();
        try {
          if (server.credentials !== undefined) await session.login(server.credentials);
          await session.send({ from: mail.sender.address, to: mail.recipient }, message, handOver);
        } finally {
          session.end();
        }
      } catch (error) {
        const { isReached } = greeting;
        const failed =
          deadline.aborted || greeting.signal.aborted
            ? new SmtpError("timed_out", {}, isReached)
            : given?.aborted === true
              ? new SmtpError("aborted", {}, isReached)
              : worded(error, isReached);
        // Nothing that is reported about a server without a greeting may depend on when it failed.
        if (isEven && failed instanceof SmtpError && failed.shownFailure === "unreachable") await greeting.over(given);
        greeting.done();
        // Without an answer to the mail it is unknown whether it was accepted.
        const isUnknown = isHandedOver && failed instanceof SmtpError && failed.reason.status === undefined;
        throw isUnknown ? new SmtpError(failed.failure, { ...failed.reason, mayHaveArrived: true }, isReached) : failed;
      }
    },
  };
}

/** Measures the time until a server has greeted. */
function startGreeting(milliseconds: number) {
  const late = new AbortController();
  const started = performance.now();
  const timer = setTimeout(() => late.abort(), milliseconds);
  let isReached = false;
  return {
    /** Aborted when the time is over. */
    signal: late.signal,
    get isReached() {
      return isReached;
    },
    done: (): void => {
      isReached = true;
      clearTimeout(timer);
    },
    /** Waits for the end of the time, or of the caller's patience. */
    over: (given: AbortSignal | undefined): Promise<void> =>
      sleep(Math.max(0, milliseconds - (performance.now() - started)), undefined, given && { signal: given }).catch(
        () => {},
      ),
  };
}

const failures: Partial<Record<OutboundFailure, SmtpFailure>> = {
  target_refused: "address_refused",
  name_not_found: "name_not_found",
  tls_failed: "tls_failed",
  timed_out: "timed_out",
  aborted: "aborted",
};

function worded(error: unknown, isReached: boolean): unknown {
  if (error instanceof SmtpError) return new SmtpError(error.failure, error.reason, isReached || hasAnswered(error));
  if (!(error instanceof OutboundError)) return error;
  const failure = failures[error.failure] ?? "connection_failed";
  const { cause } = error;
  const code = typeof cause === "string" ? cause : error.failure === "address_refused" ? error.failure : undefined;
  return new SmtpError(failure, code === undefined ? {} : { code });
}

// A status before the session was open is the answer to a greeting or to STARTTLS.
const hasAnswered = ({ reason }: SmtpError): boolean => reason.status !== undefined;
