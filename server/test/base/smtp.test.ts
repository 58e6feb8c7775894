import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { createConnect, createSystemResolve, createTargetRule } from "../../src/base/outbound/index.ts";
import { Secret } from "../../src/base/secret.ts";
import { createMailer, type Mail, parseMailHost, SmtpError, type SmtpServer } from "../../src/base/smtp/index.ts";
import { type MailServer, startMailServer } from "../support/http/mail-server.ts";
import { testCertificate } from "../support/http/test-certificate.ts";

const mail: Mail = {
  sender: { name: 'Tür & Ward, "Inc."', address: "login@mail.example" },
  replyTo: "help@mail.example",
  recipient: "ada@mail.example",
  subject: "Grüße",
  text: ".\r\nFirst line\n.\nBcc: x@evil.test\n\nÜber",
  html: "<p>Über</p>",
  messageId: "1@mail.example",
  sentAt: Date.UTC(2027, 0, 15, 12),
};

const options = { allow: ["127.0.0.0/8", "::1"], resolve: createSystemResolve(), isAnyLoopbackPortOpen: true };
const mailerFor = (trusted?: string, timeout?: number) =>
  createMailer({
    connect: createConnect({ ...options, ...(trusted !== undefined && { trusted }) }),
    name: "id.example.com",
    ...(timeout !== undefined && { timeout }),
  });
const trusting = mailerFor(testCertificate.cert);
const to = ({ port }: Pick<MailServer, "port">, more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "localhost",
  port,
  requiresTls: false,
  ...more,
});

async function failureOf(work: Promise<void>): Promise<string> {
  const error = await work.then(
    () => assert.fail("it was taken"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SmtpError, String(error));
  const said = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  assert.doesNotMatch(said, /4711|secret-/, "no secret, and nothing that the server wrote");
  return error.message;
}

for (const tls of ["none", "starttls", "implicit"] as const) {
  test(`a mail arrives as it was written (${tls})`, async (t) => {
    const server = await startMailServer(t, { tls, login: { user: "lögin", password: "secret-ü" } });
    const credentials = { kind: "password", user: "lögin", password: new Secret("secret-ü") } as const;
    await trusting.send(to(server, { requiresTls: tls !== "none", credentials }), mail);
    const [received] = server.received;
    assert.ok(received);
    assert.deepEqual([received.from, received.to], ["login@mail.example", ["ada@mail.example"]]);
    assert.deepEqual([received.isSecure, received.user], [tls !== "none", "lögin"]);
    assert.equal(received.header("message-id"), "<1@mail.example>");
    assert.equal(received.header("reply-to"), "help@mail.example");
    assert.equal(received.header("date"), "Fri, 15 Jan 2027 12:00:00 +0000");
    assert.equal(received.header("bcc"), undefined);
    assert.equal(received.header("to"), "ada@mail.example");
    assert.match(received.raw, /multipart\/alternative/);
    assert.match(received.raw, /\r\n\.\r\nFirst line/);
  });
}

test("a failure reports its kind and the server's status codes", async (t) => {
  const login = { user: "login", password: "secret-1" };
  const plain = await startMailServer(t);
  const asking = await startMailServer(t, { login });
  const token = await startMailServer(t, { login: { user: "login", accessToken: "secret-2" } });
  const starttls = await startMailServer(t, { tls: "starttls" });
  const implicit = await startMailServer(t, { tls: "implicit" });
  const wrong = { kind: "password", user: "login", password: new Secret("secret-wrong") } as const;
  const bearer = { kind: "xoauth2", user: "login", accessToken: new Secret("secret-wrong") } as const;
  const refusing = await startMailServer(t);
  refusing.refusal = { status: 554, text: "5.6.0 inner secret 4711" };
  const cases: readonly [expected: RegExp, server: SmtpServer, mail?: Partial<Mail>][] = [
    [/^smtp: authentication_failed 535 5\.7\.8$/, to(asking, { credentials: wrong })],
    [/^smtp: authentication_failed 535/, to(token, { credentials: bearer })],
    [/^smtp: authentication_unsupported/, to(plain, { credentials: wrong })],
    [/^smtp: recipient_refused 550 5\.1\.1$/, to(plain), { recipient: "refused@mail.example" }],
    [/^smtp: sender_refused 550 5\.7\.1$/, to(plain), { sender: { name: "", address: "refused@mail.example" } }],
    [/^smtp: message_refused 554 5\.6\.0$/, to(refusing)],
    [/^smtp: starttls_unsupported/, to(plain, { requiresTls: true })],
    [/^smtp: tls_failed/, to(implicit, { requiresTls: true, host: "127.0.0.1" })],
    [/^smtp: tls_failed/, to(starttls, { requiresTls: true, host: "127.0.0.1" })],
    [/^smtp: connection_failed ECONNREFUSED$/, to({ port: 1 })],
    [/^smtp: name_not_found$/, to(plain, { host: "mail.invalid" })],
    [/^smtp: address_refused$/, to(plain, { host: "169.254.169.254" })],
    [/^smtp: address_refused$/, to(plain, { host: "0.0.0.0" })],
  ];
  for (const [expected, server, more] of cases) {
    assert.match(await failureOf(trusting.send(server, { ...mail, ...more })), expected);
  }
  for (const server of [implicit, starttls]) {
    assert.match(await failureOf(mailerFor().send(to(server, { requiresTls: true }), mail)), /^smtp: tls_failed \S/);
  }
  for (const server of [plain, asking, token, starttls, implicit, refusing]) assert.equal(server.received.length, 0);
});

test("whether a mail may have arrived is known: from the hand-over to the answer it may, before and after it may not", async (t) => {
  const server = await startMailServer(t);
  const begun: string[] = [];
  const beforeHandOver = async (): Promise<void> => void begun.push("handed over");
  const attempt = (more: Partial<Mail> = {}): Promise<SmtpError> =>
    mailerFor(undefined, 300)
      .send(to(server), { ...mail, ...more }, { beforeHandOver })
      .then(
        () => assert.fail("it was taken"),
        (error: unknown) => (error instanceof SmtpError ? error : assert.fail(String(error))),
      );
  const refused = await attempt({ recipient: "refused@mail.example" });
  assert.deepEqual([refused.reason.mayHaveArrived, begun], [undefined, []]);
  server.refusal = { status: 451, text: "4.3.0 later" };
  const later = await attempt();
  assert.deepEqual([later.isFinal, later.reason.mayHaveArrived, begun.length], [false, undefined, 1]);
  server.refusal = undefined;
  server.hold = () => new Promise(() => {});
  const unknown = await attempt();
  assert.deepEqual([unknown.failure, unknown.isFinal, unknown.reason.mayHaveArrived], ["timed_out", true, true]);
});

test("a client that may not hand over a mail sends nothing of it", async (t) => {
  const server = await startMailServer(t);
  const beforeHandOver = () => Promise.reject(new Error("not ours"));
  await assert.rejects(trusting.send(to(server), mail, { beforeHandOver }), /not ours/);
  assert.equal(server.received.length, 0);
  await trusting.send(to(server), mail);
  assert.equal(server.received.length, 1);
});

test("only refusals of the recipient or the message for good are final", () => {
  const cases: readonly [SmtpError, boolean][] = [
    [new SmtpError("recipient_refused", { status: 550 }), true],
    [new SmtpError("recipient_refused", { status: 450 }), false],
    [new SmtpError("message_refused", { status: 554 }), true],
    [new SmtpError("authentication_failed", { status: 535 }), false],
    [new SmtpError("sender_refused", { status: 550 }), false],
    [new SmtpError("connection_failed"), false],
  ];
  for (const [error, isFinal] of cases) assert.equal(error.isFinal, isFinal, error.message);
});

test("a server that is silent, sends nonsense or hangs up keeps no caller waiting", async (t) => {
  const failures: readonly [expected: RegExp, greeting: string | undefined][] = [
    [/^smtp: timed_out$/, undefined],
    [/^smtp: protocol_error/, "HTTP/1.1 400 Bad Request 4711\r\n"],
    [/^smtp: protocol_error/, "554 go away 4711\r\n"],
    [/^smtp: protocol_error/, "end"],
  ];
  for (const [expected, greeting] of failures) {
    const port = await startTalker(t, greeting);
    for (const requiresTls of greeting === undefined ? [false, true] : [false]) {
      // Only the client that waits for a silent server should run out of patience.
      const patience = greeting === undefined ? 150 : 10_000;
      assert.match(await failureOf(mailerFor(undefined, patience).send(to({ port }, { requiresTls }), mail)), expected);
    }
  }
  const port = await startTalker(t, undefined);
  const stop = new AbortController();
  const sending = failureOf(trusting.send(to({ port }), mail, { signal: stop.signal }));
  stop.abort();
  assert.match(await sending, /^smtp: (aborted|timed_out)$/);
});

/** Starts a server that sends one line to every client; `end` closes the connection. */
async function startTalker(t: TestContext, greeting: string | undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    if (greeting === "end") socket.end();
    else if (greeting !== undefined) socket.write(greeting);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("mail servers are reached on the internet at the ports of mail, and elsewhere as the operator allowed (A31)", async () => {
  const names: Readonly<Record<string, string>> = { "mail.example": "8.8.8.8", "mail.internal": "10.0.0.1" };
  const resolve = async (host: string) => {
    const address = names[host];
    if (address === undefined) throw new Error("ENOTFOUND");
    return [{ address, family: 4 }];
  };
  const judgeBy = (allow: readonly string[], isAnyLoopbackPortOpen = false) => {
    const { judge } = createConnect({ allow, resolve, isAnyLoopbackPortOpen });
    return async (server: string) => judge(parseMailHost(server) ?? assert.fail(server));
  };
  const strict = judgeBy([]);
  for (const port of [25, 465, 587, 2525]) {
    assert.equal(await strict(`mail.example:${port}`), "open");
    assert.equal(await strict(`8.8.8.8:${port}`), "open");
    assert.equal(await strict(`[2606:4700::1111]:${port}`), "open");
    assert.equal(await strict(`mail.internal:${port}`), "closed");
    assert.equal(await strict(`gone.example:${port}`), "unknown");
  }
  const closed = ["10.0.0.1", "127.0.0.1", "192.168.1.1", "[::1]", "[fd12::1]", "0.0.0.0", "169.254.169.254"];
  const secret = ["168.63.129.16", "100.100.100.200", "[fd00:ec2::254]", "[::ffff:127.0.0.1]", "[64:ff9b::a9fe:a9fe]"];
  for (const address of [...closed, ...secret]) assert.equal(await strict(`${address}:25`), "closed", address);
  for (const port of [22, 80, 443, 1025, 6379, 8080]) {
    assert.equal(await strict(`mail.example:${port}`), "closed");
    assert.equal(await strict(`8.8.8.8:${port}`), "closed");
  }
  const allowed = judgeBy(["10.0.0.0/24", "mail.example:2526", "192.168.1.1:1025", "[::1]:1025", "*.corp.example"]);
  const expected: Readonly<Record<string, string>> = {
    "10.0.0.9:25": "open",
    "mail.internal:587": "open",
    "10.0.0.9:1025": "closed",
    "10.0.1.1:25": "closed",
    "mail.example:2526": "open",
    "mail.example:2527": "closed",
    "other.example:2526": "unknown",
    "192.168.1.1:1025": "open",
    "192.168.1.1:25": "closed",
    "[::1]:1025": "open",
    "[::1]:25": "closed",
  };
  for (const [server, verdict] of Object.entries(expected)) assert.equal(await allowed(server), verdict, server);
  const dev = judgeBy(["127.0.0.0/8", "::1", "localhost"], true);
  assert.deepEqual([await dev("127.0.0.1:1025"), await dev("[::1]:1025")], ["open", "open"]);
  assert.deepEqual([await dev("10.0.0.1:25"), await dev("mail.example:1025")], ["closed", "closed"]);
});

test("a host has a port, and nothing else", () => {
  const good: Readonly<Record<string, object>> = {
    "mail.example.com:587": { host: "mail.example.com", port: 587 },
    "MAIL.example.com.:25": { host: "mail.example.com", port: 25 },
    "mailhog:1025": { host: "mailhog", port: 1025 },
    "10.0.0.5:25": { host: "10.0.0.5", port: 25 },
    "[::1]:1025": { host: "::1", port: 1025 },
  };
  for (const [text, expected] of Object.entries(good)) assert.deepEqual(parseMailHost(text), expected, text);
  for (const text of [
    "",
    "mail",
    "mail:",
    ":25",
    "mail:0",
    "mail:65536",
    "mail:1e3",
    "::1:25",
    "a b:25",
    "a@b:25",
    "a:1:2",
  ]) {
    assert.equal(parseMailHost(text), undefined, text);
  }
});

test("a stored target is judged without a name lookup", () => {
  const rule = createTargetRule({ allow: ["10.1.0.0/16"] });
  const cases: Readonly<Record<string, string>> = {
    "https://hooks.example/a?b": "allowed",
    "http://hooks.example/": "allowed",
    "https://8.8.8.8/": "allowed",
    "http://8.8.8.8/": "forbidden",
    "http://10.1.0.1/": "allowed",
    "https://10.2.0.1/": "forbidden",
    "https://[::1]/": "forbidden",
    "https://0x7f.1/": "malformed",
    "ftp://hooks.example/": "malformed",
    "https://user@hooks.example/": "malformed",
  };
  for (const [target, expected] of Object.entries(cases)) assert.equal(rule(target), expected, target);
});

test("where TLS is required, only a host that an operator opened does without it", () => {
  const rule = createTargetRule({ allow: ["10.1.0.0/16", "127.0.0.0/8", "idp.internal", "*.corp.example"] });
  const cases: Readonly<Record<string, string>> = {
    "https://idp.example/": "allowed",
    "http://idp.example/": "forbidden",
    "http://idp.internal/": "allowed",
    "http://IDP.internal/": "allowed",
    "http://a.corp.example/": "allowed",
    "http://corp.example/": "forbidden",
    "http://10.1.0.1/": "allowed",
    "http://10.2.0.1/": "forbidden",
    "http://127.0.0.1:8080/": "allowed",
    "http://localhost:8080/": "allowed",
    "http://localhost.evil.test/": "forbidden",
    "http://8.8.8.8/": "forbidden",
    "ftp://idp.internal/": "malformed",
  };
  for (const [target, expected] of Object.entries(cases)) {
    assert.equal(rule(target, { demandsTls: true }), expected, target);
  }
  assert.equal(createTargetRule({ allow: [] })("http://localhost/", { demandsTls: true }), "forbidden");
});
