import type { IncomingMessage } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { getBuiltinModule } from "node:process";
import { seconds } from "../clock.ts";
import { version } from "../version.ts";
import { createAllowList } from "./allow-list.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { OutboundError, type OutboundFailure } from "./outbound-error.ts";
import { createSystemResolve, type Resolve } from "./system-resolve.ts";
import { parseTarget } from "./target.ts";

// An import reads every export of node:http, and reading WebSocket loads the client behind fetch: 5 MiB.
const { request: requestPlain } = getBuiltinModule("node:http");

export interface OutboundRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Names in lower case. `host`, `connection`, `user-agent` and `accept-encoding` are reserved. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total timeout, from the lookup of the name to the last byte, in milliseconds. */
  readonly timeout?: number;
  /** Largest accepted response body, in bytes. */
  readonly maximumBytes?: number;
  readonly signal?: AbortSignal;
  /** Whether a stranger chose the address: the operator's exceptions are for what administrators name. */
  readonly isForStranger?: boolean;
  /**
   * Awaited once connected, before the first byte of the request. If it throws, its error is thrown and nothing is
   * sent.
   */
  readonly beforeSending?: () => Promise<void>;
}

export interface OutboundResponse {
  /** Never 3xx: redirects are refused. */
  readonly status: number;
  header(name: string): string | undefined;
  /** The body as it came. */
  readonly bytes: Buffer;
  /** The body as UTF-8. */
  readonly body: string;
}

/**
 * Sends one request to a server with a configurable address. Throws only `OutboundError`, and what `beforeSending`
 * throws.
 */
export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>;

export interface OutboundOptions {
  /** Networks and hosts that may be reached although they are private (`DOORWARD_OUTBOUND_ALLOW`). */
  readonly allow: readonly string[];
  /** The same for addresses that strangers chose; none by default. */
  readonly allowForStrangers?: readonly string[];
  readonly resolve?: Resolve;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly trusted?: string;
}

const defaultTimeout = seconds(5);
const defaultMaximumBytes = 1_048_576;

/** Creates the only client for outbound requests. */
export function createOutbound(options: OutboundOptions): Outbound {
  const allowed = createAllowList(options.allow);
  const allowedForStrangers = createAllowList(options.allowForStrangers ?? []);
  const resolve = options.resolve ?? createSystemResolve();
  return async (given) => {
    const url = parseTarget(given.url);
    if (url === undefined) throw new OutboundError("target_refused");
    const isPlain = url.protocol === "http:";
    const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    const port = url.port === "" ? (isPlain ? 80 : 443) : Number(url.port);
    const rules = given.isForStranger === true ? allowedForStrangers : allowed;
    const mayReach = (address: string): boolean => rules.mayReach({ host, port, isPlain }, address);
    // Addresses are not looked up, so they are checked here.
    if (isIP(host) !== 0 && !mayReach(host)) {
      throw new OutboundError("address_refused", { isTold: true });
    }
    const deadline = AbortSignal.timeout(given.timeout ?? defaultTimeout);
    const signal = given.signal === undefined ? deadline : AbortSignal.any([deadline, given.signal]);
    const stopped: { by?: Error } = {};
    let isReached = false;
    const { beforeSending } = given;
    const mayBegin = async (): Promise<boolean> => {
      try {
        await beforeSending?.();
        return true;
      } catch (error) {
        stopped.by = error instanceof Error ? error : new Error("stopped", { cause: error });
        return false;
      }
    };
    try {
      const { body } = given;
      const incoming = await open({
        url,
        host,
        method: given.method ?? "GET",
        headers: { ...given.headers, ...(body !== undefined && { "content-length": `${Buffer.byteLength(body)}` }) },
        body,
        lookup: guardedLookup(resolve, mayReach, signal),
        mayReach,
        trusted: options.trusted,
        signal,
        mayBegin: beforeSending === undefined ? undefined : mayBegin,
        reached: () => {
          isReached = true;
        },
      });
      return await read(incoming, given.maximumBytes ?? defaultMaximumBytes);
    } catch (error) {
      throw stopped.by ?? worded(error, { deadline, signal, isReached });
    }
  };
}

interface Opening {
  readonly url: URL;
  readonly host: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly lookup: ReturnType<typeof guardedLookup>;
  readonly mayReach: (address: string) => boolean;
  readonly trusted: string | undefined;
  readonly signal: AbortSignal;
  /** Called once connected, before anything is sent. */
  readonly mayBegin: (() => Promise<boolean>) | undefined;
  /** Called once connected, with TLS where it is required. */
  readonly reached: () => void;
}

function open({
  url,
  host,
  mayReach,
  trusted,
  signal,
  lookup,
  mayBegin,
  reached,
  ...given
}: Opening): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "http:" ? requestPlain : requestSecure;
    const outgoing = request({
      protocol: url.protocol,
      host,
      ...(url.port !== "" && { port: url.port }),
      path: url.pathname + url.search,
      method: given.method,
      headers: { ...given.headers, host: url.host, "user-agent": `Doorward/${version}`, "accept-encoding": "identity" },
      // Always a new connection: never one that was checked for another request, and never through a proxy of the
      // environment.
      agent: false,
      lookup,
      signal,
      maxHeaderSize: 16_384,
      // Explicit, because the environment can switch it off for the whole process.
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      ...(trusted !== undefined && { ca: trusted }),
    });
    outgoing.once("socket", (socket) =>
      socket.once("connect", () => {
        if (!mayReach(socket.remoteAddress ?? "")) outgoing.destroy(new OutboundError("address_refused"));
      }),
    );
    const connected = url.protocol === "http:" ? "connect" : "secureConnect";
    outgoing.once("socket", (socket) =>
      socket.once(connected, () => {
        if (!outgoing.destroyed) reached();
      }),
    );
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    if (mayBegin === undefined) {
      outgoing.end(given.body);
      return;
    }
    const begin = async (): Promise<void> => {
      if (outgoing.destroyed) return;
      if (await mayBegin()) outgoing.end(given.body);
      else outgoing.destroy(new OutboundError("aborted"));
    };
    outgoing.once("socket", (socket) => socket.once(connected, () => void begin()));
  });
}

async function read(incoming: IncomingMessage, maximumBytes: number): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = incoming;
  try {
    if (status >= 300 && status < 400) throw new OutboundError("redirected");
    // A small body that unpacks into a huge one is refused; we asked for no encoding.
    if ((headers["content-encoding"] ?? "identity") !== "identity") throw new OutboundError("encoded");
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maximumBytes) throw new OutboundError("too_large");
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    return {
      status,
      header: (name) => {
        const value = headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
      bytes,
      get body() {
        return bytes.toString("utf8");
      },
    };
  } finally {
    incoming.destroy();
  }
}

interface Ending {
  readonly deadline: AbortSignal;
  readonly signal: AbortSignal;
  readonly isReached: boolean;
}

function worded(error: unknown, { deadline, signal, isReached: isTold }: Ending): OutboundError {
  if (error instanceof OutboundError) return error;
  if (deadline.aborted) return new OutboundError("timed_out", { isTold });
  if (signal.aborted) return new OutboundError("aborted", { isTold });
  return new OutboundError(failureOf(error), { cause: codeOf(error), isTold });
}

// Codes of Node and OpenSSL for failures of certificates and handshakes.
const ofTls = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

const failureOf = (error: unknown): OutboundFailure => (ofTls.test(codeOf(error)) ? "tls_failed" : "connection_failed");

// The code alone: messages of the HTTP parser quote what the other side sent.
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
