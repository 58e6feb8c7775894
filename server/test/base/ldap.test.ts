import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import {
  BerMalformed,
  element,
  integer,
  octets,
  readElement,
  readElements,
  readInteger,
} from "../../src/base/ldap/ber.ts";
import { createLdap, LdapError, parseLdapAddress } from "../../src/base/ldap/index.ts";
import { createConnect, createSystemResolve, directoryPorts } from "../../src/base/outbound/index.ts";
import { Secret } from "../../src/base/secret.ts";
import { testCertificate } from "../support/http/test-certificate.ts";
import {
  type DirectoryRequest,
  entryOf,
  message,
  result,
  startTestDirectory,
  type TestDirectory,
} from "../support/identity-provider/test-directory.ts";

const network = { allow: ["127.0.0.0/8"], resolve: createSystemResolve(), ports: directoryPorts };
const ldap = createLdap(createConnect({ ...network, isAnyLoopbackPortOpen: true }));

const ada = {
  dn: "uid=ada,dc=example,dc=org",
  password: "right",
  attributes: { uid: ["ada"], mail: ["ada@mail.example"], objectClass: ["person"] },
};

interface Opening {
  readonly startsTls?: boolean;
  readonly trusted?: "system";
  readonly timeout?: number;
}

function open({ url }: Pick<TestDirectory, "url">, opening: Opening = {}) {
  const { startsTls = false, timeout = 5_000 } = opening;
  const trusted = opening.trusted === "system" ? undefined : testCertificate.cert;
  const address = parseLdapAddress(url);
  assert.ok(address);
  return ldap.open({ ...address, startsTls, trusted }, { payer: "p", signal: AbortSignal.timeout(timeout) });
}

const search = (username: string) => ({
  baseDn: "dc=example,dc=org",
  filter: { all: [{ attribute: "objectClass", equals: "person" }, { any: [{ attribute: "uid", equals: username }] }] },
  attributes: ["uid", "mail"],
  sizeLimit: 2,
  timeLimitSeconds: 5,
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail("it succeeded"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LdapError, String(error));
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /secret-of|4711/, "nothing that the server sent");
  return error.failure;
}

for (const [transport, options, opening] of [
  ["plain to this machine", {}, {}],
  ["StartTLS", {}, { startsTls: true }],
  ["LDAPS", { isSecure: true }, {}],
] as const) {
  test(`binds and searches (${transport})`, async (t) => {
    const directory = await startTestDirectory(t, options);
    directory.entries = [ada];
    const connection = await open(directory, opening);
    assert.equal(await connection.bind(directory.serviceDn, new Secret(directory.servicePassword)), 0);
    assert.equal(await connection.bind(ada.dn, new Secret("wrong")), 49);
    const { resultCode, entries } = await connection.search(search("ada"));
    assert.equal(resultCode, 0);
    assert.deepEqual(
      entries.map(({ dn, attributes }) => [dn, attributes.get("mail")?.map(String)]),
      [[ada.dn, ["ada@mail.example"]]],
    );
    assert.deepEqual((await connection.search(search("none"))).entries, []);
    connection.end();
    const binds = directory.requests.filter((request) => request.kind === "bind");
    assert.equal(binds.length, 2);
    assert.ok(binds.every(({ isSecure }) => isSecure === (transport !== "plain to this machine")));
  });
}

test("a name is a value and never changes the condition (RFC 4515 §3)", async (t) => {
  const directory = await startTestDirectory(t);
  directory.entries = [ada];
  const connection = await open(directory);
  for (const name of [
    "*",
    "a*",
    "*)(uid=*",
    "ada)(|(uid=*",
    "\\61da",
    "ada\u0000",
    ")",
    "(",
    "|",
    "&",
    "ada)(mail=*",
  ]) {
    assert.deepEqual((await connection.search(search(name))).entries, [], name);
    const sent = directory.requests.at(-1);
    assert.ok(sent?.kind === "search");
    const [, either] = readElements(sent.filter.content);
    const [equality, ...more] = readElements(either?.content ?? Buffer.alloc(0));
    assert.deepEqual([equality?.tag, more.length], [0xa3, 0], "one equality");
    const [, value] = readElements(equality?.content ?? Buffer.alloc(0));
    assert.equal(value?.content.toString("utf8"), name);
  }
  assert.equal((await connection.search(search("ADA"))).entries.length, 1);
  connection.end();
});

test("an anonymous bind is never sent (RFC 4513 §5.1.1–5.1.2)", async (t) => {
  const directory = await startTestDirectory(t);
  const connection = await open(directory);
  for (const [name, password] of [
    [ada.dn, ""],
    ["", "password"],
    ["", ""],
  ] as const) {
    await assert.rejects(
      async () => connection.bind(name, new Secret(password)),
      /anonymous/,
      `"${name}" "${password}"`,
    );
  }
  assert.deepEqual(directory.requests, []);
  connection.end();
});

test("certificates are verified, with a CA of one's own if there is one", async (t) => {
  const secure = await startTestDirectory(t, { isSecure: true });
  const plain = await startTestDirectory(t);
  assert.equal(await failureOf(open(secure, { trusted: "system" })), "tls_failed");
  assert.equal(await failureOf(open(plain, { startsTls: true, trusted: "system" })), "tls_failed");
  // The certificate names localhost and not this address.
  const other = { url: `ldaps://127.0.0.1:${secure.port}` };
  assert.equal(await failureOf(open(other)), "tls_failed");
  plain.answer = ({ kind }, id, socket) => kind === "startTls" && socket.write(message(id, result(0x78, 2)));
  assert.equal(await failureOf(open(plain, { startsTls: true })), "tls_failed", "StartTLS is not offered");
  assert.ok(![...secure.requests, ...plain.requests].some(({ kind }) => kind === "bind"), "no password was sent");
});

test("what arrives before the handshake of StartTLS ends the connection (CVE-2011-0411)", async (t) => {
  const directory = await startTestDirectory(t);
  directory.answer = ({ kind }, id, socket) => {
    if (kind !== "startTls") return false;
    // An attacker in the network answers the bind that will be sent inside.
    return socket.write(Buffer.concat([message(id, result(0x78, 0)), message(id + 1, result(0x61, 0))]));
  };
  assert.equal(await failureOf(open(directory, { startsTls: true })), "protocol_error");
});

test("only servers that the rules leave open are tried, and passwords never cross the internet in the clear", async (t) => {
  const { port } = await startTestDirectory(t);
  const strict = createLdap(createConnect({ ...network, allow: [] }));
  const signal = AbortSignal.timeout(5_000);
  const plain = { isSecure: false, startsTls: false, trusted: undefined };
  const at = (host: string, onPort = 389) => strict.open({ ...plain, host, port: onPort }, { payer: "p", signal });
  assert.equal(await failureOf(at("127.0.0.1", port)), "unreachable");
  assert.equal(await failureOf(at("localhost")), "unreachable");
  assert.equal(await failureOf(at("10.0.0.1")), "unreachable");
  const may = (host: string, onPort: number, more: object = {}) =>
    strict.mayTry({ ...plain, host, port: onPort, ...more });
  assert.ok(!may("8.8.8.8", 389), "a public address without TLS");
  assert.ok(may("8.8.8.8", 389, { startsTls: true }));
  assert.ok(may("8.8.8.8", 636, { isSecure: true }));
  assert.ok(!may("8.8.8.8", 22, { isSecure: true }), "another port");
  assert.ok(!may("192.168.0.1", 636, { isSecure: true }), "a private address");
  assert.ok(!may("ldap.example.com", 25, { isSecure: true }));
  assert.ok(may("ldap.example.com", 3269, { isSecure: true }));
});

test("the connected address decides whether TLS may be left out", async (t) => {
  const { port } = await startTestDirectory(t);
  const connect = createConnect({ ...network, isAnyLoopbackPortOpen: true });
  const asIfPublic = createLdap({
    ...connect,
    open: async (request) => ({ ...(await connect.open(request)), isPublic: true }),
  });
  const server = { host: "localhost", port, isSecure: false, trusted: testCertificate.cert };
  const request = { payer: "p", signal: AbortSignal.timeout(5_000) };
  assert.equal(await failureOf(asIfPublic.open({ ...server, startsTls: false }, request)), "unencrypted");
  (await asIfPublic.open({ ...server, startsTls: true }, request)).end();
});

type Answer = (id: number, socket: Socket) => void;

const hostile: Readonly<Record<string, { readonly answer: Answer; readonly expected: string }>> = {
  "another protocol": {
    answer: (_, socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
    expected: "unreachable",
  },
  "a closed connection": { answer: (_, socket) => socket.destroy(), expected: "unreachable" },
  silence: { answer: () => {}, expected: "unreachable" },
  "a response to another request": {
    answer: (id, socket) => socket.write(message(id + 7, result(0x61, 0))),
    expected: "protocol_error",
  },
  "a notice of disconnection": {
    answer: (_, socket) => socket.write(message(0, result(0x78, 52))),
    expected: "protocol_error",
  },
  "a result of another operation": {
    answer: (id, socket) => socket.write(message(id, result(0x65, 0))),
    expected: "protocol_error",
  },
  "a message that is too long": {
    answer: (_, socket) => socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff])),
    expected: "unreachable",
  },
  "an indefinite length": {
    answer: (_, socket) => socket.write(Buffer.from([0x30, 0x80, 0, 0])),
    expected: "unreachable",
  },
  "a negative result": {
    answer: (id, socket) => socket.write(message(id, element(0x61, element(0x0a, Buffer.from([0xff])), octets("")))),
    expected: "protocol_error",
  },
  "an empty result": { answer: (id, socket) => socket.write(message(id, element(0x61))), expected: "protocol_error" },
};

for (const [what, { answer, expected }] of Object.entries(hostile)) {
  test(`a bind that is answered with ${what} fails`, async (t) => {
    const directory = await startTestDirectory(t);
    directory.answer = (_, id, socket) => {
      answer(id, socket);
      return true;
    };
    const connection = await open(directory, { timeout: 400 });
    assert.equal(await failureOf(connection.bind(ada.dn, new Secret("right"))), expected);
    assert.equal(
      await failureOf(connection.bind(ada.dn, new Secret("right"))),
      expected,
      "and so does all that follows",
    );
    connection.end();
  });
}

test("a search takes no more than it asked for, and follows nothing", async (t) => {
  const directory = await startTestDirectory(t);
  const reply = (...operations: Buffer[]) => {
    directory.answer = ({ kind }: DirectoryRequest, id, socket) =>
      kind === "search" && operations.map((each) => socket.write(message(id, each))).length > 0;
  };
  const ask = async (timeout = 5_000) => {
    const connection = await open(directory, { timeout });
    try {
      return await connection.search(search("ada"));
    } finally {
      connection.end();
    }
  };
  const reference = element(0x73, octets("ldap://evil.example/dc=example"));
  const entry = entryOf(ada);
  reply(reference, entry, reference, result(0x65, 0));
  assert.equal((await ask()).entries.length, 1, "references are left aside");
  reply(result(0x65, 10));
  assert.deepEqual(await ask(), { resultCode: 10, entries: [] }, "a referral is a result like any other");
  reply(entry, entry, entry);
  assert.equal(await failureOf(ask()), "protocol_error", "more entries than the limit");
  reply(...Array.from({ length: 40 }, () => element(0x73, octets("ldap://evil.example/".padEnd(30_000, "x")))));
  assert.equal(await failureOf(ask()), "protocol_error", "more bytes than there is patience for");
  reply(element(0x64, octets("dn"), element(0x30, element(0x30, octets("mail"), octets("not a set")))));
  assert.equal(await failureOf(ask()), "protocol_error");
  const values = (value: string) => element(0x30, octets("mail"), element(0x31, octets(value)));
  reply(element(0x64, octets("dn"), element(0x30, values("a"), values("b"))), result(0x65, 0));
  assert.equal(await failureOf(ask()), "protocol_error", "an attribute that is there twice");
  reply(element(0x64, octets("x".repeat(9000)), element(0x30)), result(0x65, 0));
  assert.equal(await failureOf(ask()), "protocol_error", "a name that is too long");
  reply(entry);
  assert.equal(await failureOf(ask(400)), "timed_out", "no end");
});

test("a message may arrive byte by byte", async (t) => {
  const directory = await startTestDirectory(t);
  directory.entries = [ada];
  directory.answer = ({ kind }, id, socket) => {
    if (kind !== "search") return false;
    const bytes = Buffer.concat([message(id, entryOf(ada)), message(id, result(0x65, 0))]);
    const send = (at: number): void => {
      if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
    };
    send(0);
    return true;
  };
  const connection = await open(directory);
  for (let round = 0; round < 2; round++) {
    const { entries } = await connection.search(search("ada"));
    assert.deepEqual(
      entries.map(({ dn, attributes }) => [dn, String(attributes.get("uid")?.[0])]),
      [[ada.dn, "ada"]],
    );
  }
  connection.end();
});

test("a slow directory takes only so many connections", async (t) => {
  const directory = await startTestDirectory(t);
  const opened = await Promise.all(Array.from({ length: 16 }, () => open(directory)));
  assert.equal(await failureOf(open(directory)), "overloaded");
  for (const connection of opened) connection.end();
  (await open(directory)).end();
});

test("addresses of directories", () => {
  const of = (text: string) => {
    const address = parseLdapAddress(text);
    return address && `${address.host} ${address.port} ${address.isSecure}`;
  };
  assert.equal(of("ldap://ldap.example.com"), "ldap.example.com 389 false");
  assert.equal(of("LDAPS://LDAP.Example.com/"), "ldap.example.com 636 true");
  assert.equal(of("ldaps://[::1]:1636"), "::1 1636 true");
  assert.equal(of("ldap://10.0.0.1:3268"), "10.0.0.1 3268 false");
  const invalid = [
    "",
    "ldap.example.com",
    "https://ldap.example.com",
    "ldap://",
    "ldap://a:b@c",
    "ldap://user@c",
    "ldap://a:0",
    "ldap://a:65536",
    "ldap://a/dc=example",
    "ldap://a?x",
    "ldap://a#x",
    "ldap:///",
    "ldap://a b",
    "ldap://[::1",
    "ldapi:///var/run",
    "ldap://a\n",
    "ldap://::1",
    "ldap://a:1:2",
  ];
  for (const text of invalid) assert.equal(of(text), undefined, text);
});

test("the encoding of LDAP has definite lengths and small numbers (RFC 4511 §5.1)", () => {
  for (const value of [0, 1, 127, 128, 255, 256, 65_535, 2 ** 31 - 1]) {
    const read = readElement(integer(value), 100);
    assert.ok(read);
    assert.equal(readInteger(read.element), value);
  }
  for (const length of [0, 1, 127, 128, 255, 256, 70_000]) {
    const bytes = octets(Buffer.alloc(length, 7));
    assert.equal(readElement(bytes, 100_000)?.element.content.length, length);
    assert.equal(readElement(bytes.subarray(0, -1), 100_000), undefined, "not all of it");
    assert.throws(() => readElements(bytes.subarray(0, -1)), BerMalformed);
  }
  assert.throws(() => readElement(octets(Buffer.alloc(200)), 199), BerMalformed);
  for (const bytes of [
    [0x30, 0x80, 0, 0],
    [0x3f, 0x81, 1, 0],
    [0x30, 0x85, 0, 0, 0, 0, 1, 0],
    [0x30, 0xff],
  ]) {
    assert.throws(() => readElement(Buffer.from(bytes), 100), BerMalformed, String(bytes));
  }
});
