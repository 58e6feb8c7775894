import type { Socket } from "node:net";
import { seconds } from "../clock.ts";
import { readElement } from "./ber.ts";
import { createInbox } from "./inbox.ts";
import { LdapError } from "./ldap-error.ts";
import { decodeMessage, encodeMessage, encodeUnbind, type LdapMessage, messageTag } from "./ldap-message.ts";

/** One request after the other on a connection. */
export interface Conversation {
  /** Sends a request and hands over its responses until `isLast`. Throws only LdapError. */
  ask(operation: Buffer, take: (response: LdapMessage["operation"]) => "more" | "last"): Promise<void>;
  /** Stops listening, so that TLS can take over. Throws when bytes arrived that belong to no request. */
  detach(): void;
  end(): void;
}

// A response is one entry with the attributes that were asked for.
const longestMessage = 512 * 1024;
// A server could otherwise answer one request for as long as it is waited for.
const mostBytes = 1024 * 1024;
// A server that does not read would keep the connection open.
const longestFarewell = seconds(1);

/** Begins to speak LDAP on a connection. When the signal is aborted, what is waited for fails. */
export function converse(socket: Socket, signal: AbortSignal): Conversation {
  let lastId = 0;
  const inbox = createInbox();
  let received = 0;
  let failure: LdapError | undefined;
  let asking: Asking | undefined;
  // Whether the other side is known to be a directory.
  let isReached = false;

  const fail = (error: LdapError): void => {
    failure ??= isReached ? error : new LdapError("unreachable", { cause: error });
    socket.destroy();
    asking?.reject(failure);
    asking = undefined;
  };
  const takeMessage = ({ messageId, operation }: LdapMessage): void => {
    // RFC 4511 §4.4.1: an unsolicited notification (id 0) announces the end of the connection.
    if (asking === undefined || messageId !== lastId) throw new LdapError("protocol_error");
    if (asking.take(operation) === "more") return;
    const { resolve } = asking;
    asking = undefined;
    received = 0;
    resolve();
  };
  const takeBytes = (bytes: Buffer): void => {
    received += bytes.length;
    inbox.add(bytes);
    try {
      // What is not even the beginning of a message is not waited for.
      if (received > mostBytes || inbox.bytes[0] !== messageTag) throw new LdapError("protocol_error");
      for (let read = readElement(inbox.bytes, longestMessage); read !== undefined; ) {
        inbox.keep(read.rest);
        const message = decodeMessage(read.element);
        isReached = true;
        takeMessage(message);
        read = readElement(inbox.bytes, longestMessage);
      }
    } catch (cause) {
      fail(cause instanceof LdapError ? cause : new LdapError("protocol_error", { cause }));
    }
  };
  const abort = (): void => fail(new LdapError("timed_out"));
  const close = (): void => fail(new LdapError("unreachable"));
  const listen = (): void => {
    socket.setNoDelay(true);
    socket.on("data", takeBytes).on("close", close).on("error", close);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  };
  const ignore = (): void => {
    socket.off("data", takeBytes).off("close", close).off("error", close);
    signal.removeEventListener("abort", abort);
  };
  listen();
  return {
    ask: (operation, take) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        lastId += 1;
        asking = { take, resolve, reject };
        socket.write(encodeMessage(lastId, operation));
      }),
    detach: () => {
      socket.pause();
      ignore();
      // What came before the handshake could pose as a response from within it (as in CVE-2011-0411).
      if (inbox.bytes.length > 0) fail(new LdapError("protocol_error"));
      if (failure !== undefined) throw failure;
    },
    end: () => {
      ignore();
      // A late error must not end the process.
      socket.on("error", () => {});
      if (failure === undefined) socket.end(encodeMessage(lastId + 1, encodeUnbind()));
      socket.setTimeout(longestFarewell, () => socket.destroy());
      socket.destroySoon();
    },
  };
}

interface Asking {
  readonly take: (response: LdapMessage["operation"]) => "more" | "last";
  readonly resolve: () => void;
  readonly reject: (error: LdapError) => void;
}
