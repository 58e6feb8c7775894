import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { createSecureContext, TLSSocket } from "node:tls";
import {
  type Element,
  element,
  integer,
  octets,
  readElement,
  readElements,
  readInteger,
} from "../../../src/base/ldap/ber.ts";
import { testCertificate } from "../http/test-certificate.ts";

/** An entry: its name, its attributes, and the password with which it binds. */
export interface DirectoryEntry {
  readonly dn: string;
  readonly password?: string;
  readonly attributes: Readonly<Record<string, readonly (string | Buffer)[]>>;
}

/** What a client asked for. */
export type DirectoryRequest =
  | { readonly kind: "bind"; readonly name: string; readonly password: string; readonly isSecure: boolean }
  | { readonly kind: "search"; readonly baseDn: string; readonly filter: Element; readonly attributes: string[] }
  | { readonly kind: "startTls" }
  | { readonly kind: "unbind" };

/**
 * A directory of a few lines, which knows equality in filters and nothing else. A test can answer a request itself,
 * with whatever can go over the wire.
 */
export interface TestDirectory {
  readonly port: number;
  /** `ldap://localhost:<port>`. */
  readonly url: string;
  readonly baseDn: string;
  readonly serviceDn: string;
  readonly servicePassword: string;
  entries: readonly DirectoryEntry[];
  readonly requests: DirectoryRequest[];
  /** Answers a request instead of the directory; undefined leaves it to the directory. */
  answer: ((request: DirectoryRequest, messageId: number, socket: Socket) => boolean) | undefined;
}

const baseDn = "dc=example,dc=org";
const serviceDn = `cn=service,${baseDn}`;
const servicePassword = "service-password-4711";
const success = 0;
const invalidCredentials = 49;

/** Encodes a message of the server. */
export const message = (messageId: number, operation: Buffer): Buffer => element(0x30, integer(messageId), operation);

/** Encodes a result with a code. */
export const result = (tag: number, code: number): Buffer =>
  element(tag, integer(code, 0x0a), octets(""), octets("diagnostic secret-of-the-server"));

/** Encodes an entry of a search. */
export const entryOf = ({ dn, attributes }: DirectoryEntry): Buffer =>
  element(
    0x64,
    octets(dn),
    element(
      0x30,
      ...Object.entries(attributes).map(([name, values]) =>
        element(0x30, octets(name), element(0x31, ...values.map((value) => octets(value)))),
      ),
    ),
  );

/** Starts a directory on the loopback address; it stops after the test. With `isSecure` it speaks TLS at once. */
export async function startTestDirectory(
  t: TestContext,
  { isSecure = false }: { readonly isSecure?: boolean } = {},
): Promise<TestDirectory> {
  const sockets = new Set<Socket>();
  const directory = { entries: [], requests: [], answer: undefined } as unknown as TestDirectory;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    serve(directory, isSecure ? secure(socket) : socket, isSecure);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(directory, {
    port,
    url: `${isSecure ? "ldaps" : "ldap"}://localhost:${port}`,
    baseDn,
    serviceDn,
    servicePassword,
  });
}

const secure = (socket: Socket): Socket =>
  new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(testCertificate) }).on("error", () => {});

function serve(directory: TestDirectory, socket: Socket, isSecure: boolean): void {
  let pending: Buffer = Buffer.alloc(0);
  const take = (bytes: Buffer): void => {
    pending = Buffer.concat([pending, bytes]);
    for (let read = readElement(pending, 65_536); read !== undefined; read = readElement(pending, 65_536)) {
      pending = read.rest;
      const [id, operation] = readElements(read.element.content);
      if (id === undefined || operation === undefined) return void socket.destroy();
      const messageId = readInteger(id);
      const request = toRequest(operation, isSecure);
      directory.requests.push(request);
      if (directory.answer?.(request, messageId, socket) === true) continue;
      if (request.kind === "startTls") {
        socket.off("data", take);
        socket.write(message(messageId, result(0x78, success)), () => serve(directory, secure(socket), true));
        return;
      }
      respond(directory, request, messageId, socket);
    }
  };
  socket.on("data", take);
}

function toRequest({ tag, content }: Element, isSecure: boolean): DirectoryRequest {
  const parts = tag === 0x42 ? [] : readElements(content);
  const text = (index: number): string => parts[index]?.content.toString("utf8") ?? "";
  switch (tag) {
    case 0x60:
      return { kind: "bind", name: text(1), password: text(2), isSecure };
    case 0x63: {
      const [, , , , , , filter, attributes] = parts;
      if (filter === undefined || attributes === undefined) throw new Error("not a search");
      const names = readElements(attributes.content).map((name) => name.content.toString("utf8"));
      return { kind: "search", baseDn: text(0), filter, attributes: names };
    }
    case 0x77:
      return { kind: "startTls" };
    default:
      return { kind: "unbind" };
  }
}

function respond(directory: TestDirectory, request: DirectoryRequest, messageId: number, socket: Socket): void {
  const send = (operation: Buffer): void => void socket.write(message(messageId, operation));
  if (request.kind === "bind") {
    const { name, password } = request;
    const accounts = [{ dn: serviceDn, password: servicePassword }, ...directory.entries];
    // As a badly set up server does: without a password the bind is anonymous and succeeds (RFC 4513 §5.1.2).
    const isRight = password === "" || accounts.some((each) => each.dn === name && each.password === password);
    send(result(0x61, isRight ? success : invalidCredentials));
  } else if (request.kind === "search") {
    const below = directory.entries.filter(({ dn }) => dn.endsWith(request.baseDn));
    for (const entry of below) if (matches(request.filter, entry)) send(entryOf(entry));
    send(result(0x65, success));
  }
}

function matches({ tag, content }: Element, entry: DirectoryEntry): boolean {
  const parts = readElements(content);
  if (tag === 0xa0) return parts.every((part) => matches(part, entry));
  if (tag === 0xa1) return parts.some((part) => matches(part, entry));
  const [name, value] = parts.map((part) => part.content.toString("utf8").toLowerCase());
  const attribute = Object.entries(entry.attributes).find(([key]) => key.toLowerCase() === name);
  return tag === 0xa3 && (attribute?.[1].some((each) => String(each).toLowerCase() === value) ?? false);
}
