import { type Connect, isPublicAddress, OutboundError } from "../outbound/index.ts";
import type { Secret } from "../secret.ts";
import { type Conversation, converse } from "./conversation.ts";
import type { LdapAddress } from "./ldap-address.ts";
import { LdapError } from "./ldap-error.ts";
import {
  decodeEntry,
  decodeResult,
  encodeBind,
  encodeSearch,
  encodeStartTls,
  type LdapEntry,
  type LdapSearch,
  operations,
  resultCodes,
} from "./ldap-message.ts";

/** How a directory is reached. */
interface LdapServer extends LdapAddress {
  /** Whether TLS is started on a connection that begins without it. */
  readonly startsTls: boolean;
  /** Certificates (PEM) that are trusted instead of all others. */
  readonly trusted: string | undefined;
}

/** A connection to a directory, for one request after the other. All methods throw only LdapError. */
export interface LdapConnection {
  /** Authenticates the connection with a name and a password, neither of them empty. Returns the result code. */
  bind(name: string, password: Secret): Promise<number>;
  /** Searches the subtree. Neither aliases nor referrals are followed. */
  search(search: LdapSearch): Promise<{ readonly resultCode: number; readonly entries: readonly LdapEntry[] }>;
  end(): void;
}

export interface Ldap {
  /** Opens a connection. Each `payer` has a limited number of them at a time. Throws only LdapError. */
  open(server: LdapServer, request: { readonly payer: string; readonly signal: AbortSignal }): Promise<LdapConnection>;
  /** Whether `open` would try a server, as far as that can be told without a lookup of its name. */
  mayTry(server: Omit<LdapServer, "trusted">): boolean;
}

// A slow directory must not use up the connections of this process.
const mostAtOnce = 16;

/** Creates the only way to directories. */
export function createLdap(connect: Pick<Connect, "open" | "secure" | "mayTry">): Ldap {
  const opened = new Map<string, number>();
  const count = (payer: string, change: 1 | -1): void => {
    const next = (opened.get(payer) ?? 0) + change;
    if (next === 0) opened.delete(payer);
    else opened.set(payer, next);
  };
  return {
    mayTry: (server) => connect.mayTry(server) && !(isPlain(server) && isPublicAddress(server.host)),
    open: async (server, { payer, signal }) => {
      if ((opened.get(payer) ?? 0) >= mostAtOnce) throw new LdapError("overloaded");
      count(payer, 1);
      try {
        return speak(await open(connect, server, signal), () => count(payer, -1));
      } catch (error) {
        count(payer, -1);
        throw worded(error);
      }
    },
  };
}

const isPlain = ({ isSecure, startsTls }: Omit<LdapServer, "trusted">): boolean => !isSecure && !startsTls;

async function open(
  connect: Pick<Connect, "open" | "secure">,
  server: LdapServer,
  signal: AbortSignal,
): Promise<Conversation> {
  const { host, port, isSecure, startsTls, trusted } = server;
  const { socket, isPublic } = await connect.open({ host, port, signal });
  try {
    if (isSecure) return converse(await connect.secure(socket, { host, port, signal, trusted }), signal);
    // An eavesdropper would get the passwords of the service account and of every user.
    if (isPlain(server) && isPublic) throw new LdapError("unencrypted");
    const plain = converse(socket, signal);
    if (!startsTls) return plain;
    await startTls(plain);
    return converse(await connect.secure(socket, { host, port, signal, trusted }), signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function startTls(plain: Conversation): Promise<void> {
  const code = await askForResult(plain, encodeStartTls(), operations.extendedResponse);
  if (code !== resultCodes.success) throw new LdapError("tls_failed");
  plain.detach();
}

const speak = (conversation: Conversation, closed: () => void): LdapConnection => ({
  bind: (name, password) => {
    // RFC 4513 §5.1.1–5.1.2: a server reports success for an anonymous bind, whatever the name is.
    if (name === "" || password.reveal() === "") throw new Error("an anonymous bind proves nothing");
    return askForResult(conversation, encodeBind(name, password.reveal()), operations.bindResponse);
  },
  search: async (search) => {
    const entries: LdapEntry[] = [];
    let resultCode: number | undefined;
    await conversation.ask(encodeSearch(search), (response) => {
      if (response.tag === operations.searchReference) return "more";
      if (response.tag === operations.searchEntry) {
        entries.push(decodeEntry(response));
        // The limit of a search is a wish (RFC 4511 §4.5.1.4).
        if (entries.length > search.sizeLimit) throw new LdapError("protocol_error");
        return "more";
      }
      if (response.tag !== operations.searchDone) throw new LdapError("protocol_error");
      resultCode = decodeResult(response);
      return "last";
    });
    if (resultCode === undefined) throw new LdapError("protocol_error");
    return { resultCode, entries };
  },
  end: () => {
    conversation.end();
    closed();
  },
});

async function askForResult(conversation: Conversation, operation: Buffer, expected: number): Promise<number> {
  let code: number | undefined;
  await conversation.ask(operation, (response) => {
    if (response.tag !== expected) throw new LdapError("protocol_error");
    code = decodeResult(response);
    return "last";
  });
  if (code === undefined) throw new LdapError("protocol_error");
  return code;
}

// Only what speaks TLS shows a certificate.
const ofCertificate = /CERT|SELF_SIGNED|ISSUER/;

function worded(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const isCertificate = typeof error.cause === "string" && ofCertificate.test(error.cause);
  return new LdapError(isCertificate ? "tls_failed" : "unreachable", { cause: error });
}
