import assert from "node:assert/strict";
import { test } from "node:test";
import { startMailServer } from "../support/http/mail-server.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { testCertificate } from "../support/http/test-certificate.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer } from "../support/servers/server.ts";
import { activate, addProvider, createPerson, eventually, sender } from "./support.ts";

const password = "password-4711";
const receiverAddress = "me@mail.example";

eachServer((start) => {
  test("a test mail is really delivered: by id, by the older path, without the base, and with settings that are not stored", async (t) => {
    const server = await start(t, { certificates: testCertificate.cert });
    const mail = await startMailServer(t, { tls: "starttls", login: { user: "login", password } });
    const settings = { ...sender, host: mail.host, tls: true, user: "login" };
    const id = await addProvider(server, "/email/smtp", { ...settings, plain: { password } });
    const calls: readonly [path: string, body: object][] = [
      [`/admin/v1/email/smtp/${id}/_test`, {}],
      [`/admin/v1/smtp/${id}/_test`, {}],
      [`/smtp/${id}/_test`, {}],
      ["/admin/v1/email/smtp/_test", { ...settings, plain: { password } }],
      ["/admin/v1/email/smtp/_test", { ...settings, id }],
      ["/admin/v1/smtp/_test", { ...settings, password }],
      ["/admin/v1/smtp/_test", { ...settings, id }],
    ];
    for (const [index, [path, body]] of calls.entries()) {
      const answer = await server.rest("POST", path, { body: { ...body, receiverAddress } });
      assert.deepEqual([answer.status, answer.body], [200, {}], path);
      assert.equal(mail.received.length, index + 1, path);
      const { to, user, isSecure } = mail.received[index] ?? assert.fail();
      assert.deepEqual([to, user, isSecure], [[receiverAddress], "login", true]);
    }
    const byConnect = await server.connect("service.admin.v1.AdminService/TestEmailProviderSMTPById", {
      id,
      receiverAddress,
    });
    assert.equal(byConnect.status, 200);
    const http = await addProvider(server, "/email/http", { endpoint: "https://hooks.example/" });
    for (const [body, status] of [
      [{ id: http, receiverAddress }, 404],
      [{ id: "1", receiverAddress }, 404],
      [{ id }, 400],
      [{ id, receiverAddress: "nobody" }, 400],
    ] as const) {
      const answer = await server.rest("POST", `/admin/v1/email/smtp/${body.id}/_test`, { body });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
    }
  });

  test("a test mail that is not taken says why, names the field, and tells nothing that the other side wrote", async (t) => {
    const server = await start(t, { certificates: testCertificate.cert });
    const plain = await startMailServer(t, { login: { user: "login", password } });
    const secure = await startMailServer(t, { tls: "implicit", login: { user: "login", password } });
    const token = await startReceiver(t);
    token.answer = (_request, response) => response.writeHead(401).end('{"error":"inner secret 4711"}');
    const login = { user: "login", plain: { password } };
    const xoauth2 = {
      tokenEndpoint: `${token.origin}/token`,
      clientCredentials: { clientId: "client", clientSecret: password },
    };
    const settings = { ...sender, host: plain.host, receiverAddress, ...login };
    const cases: readonly [id: string, field: string, settings: object][] = [
      ["smtp.authentication_failed", "password", { ...settings, plain: { password: "wrong" } }],
      ["smtp.recipient_refused", "receiverAddress", { ...settings, receiverAddress: "refused@mail.example" }],
      ["smtp.sender_refused", "senderAddress", { ...settings, senderAddress: "refused@mail.example" }],
      ["smtp.starttls_unsupported", "tls", { ...settings, tls: true }],
      ["smtp.address_refused", "host", { ...settings, host: "169.254.169.254:25" }],
      ["smtp.tls_failed", "tls", { ...settings, host: `127.0.0.1:${secure.port}`, tls: true }],
      ["smtp.token_failed", "xoauth2.tokenEndpoint", { ...settings, plain: undefined, xoauth2 }],
      ["message_provider.secret_required", "password", { ...settings, plain: {} }],
    ];
    for (const [id, field, body] of cases) {
      const answer = await server.rest("POST", "/admin/v1/email/smtp/_test", { body });
      assert.equal(answer.status, 400, `${id}: ${JSON.stringify(answer.body)}`);
      assert.equal(answer.body.details[0].id, id, JSON.stringify(answer.body));
      assertNames(answer, field);
      assert.doesNotMatch(JSON.stringify(answer.body), /4711|password-/);
    }
    assert.equal(plain.received.length, 0);
    // The numbers of the server's answer are told.
    const refused = await server.rest("POST", "/admin/v1/email/smtp/_test", { body: cases[1]?.[2] });
    assert.match(refused.body.message, /550 5\.1\.1/);
  });

  test("a server that says nothing, and one that is stored with something wrong, are told of as clearly", async (t) => {
    const server = await start(t, { certificates: testCertificate.cert, mailTimeout: 400 });
    const mail = await startMailServer(t, { login: { user: "login", password } });
    const silent = await startMailServer(t);
    silent.holdEnvelope = () => new Promise(() => {});
    const settings = { ...sender, host: mail.host, user: "login", plain: { password } };
    const timedOut = await server.rest("POST", "/admin/v1/email/smtp/_test", {
      body: { ...sender, host: silent.host, receiverAddress, none: {} },
    });
    assert.deepEqual([timedOut.status, timedOut.body.details[0].id], [400, "smtp.timed_out"]);
    assertNames(timedOut, "host");
    const cases: readonly [id: string, settings: object, receiverAddress?: string][] = [
      ["smtp.authentication_failed", { ...settings, plain: { password: "wrong" } }],
      ["smtp.recipient_refused", settings, "refused@mail.example"],
      ["smtp.unreachable", { ...settings, host: "localhost:1" }],
      ["smtp.unreachable", { ...settings, host: "mail.invalid:25" }],
      ["smtp.timed_out", { ...sender, host: silent.host, none: {} }],
    ];
    for (const [id, stored, to = receiverAddress] of cases) {
      const providerId = await addProvider(server, "/email/smtp", stored);
      const body = { receiverAddress: to };
      for (const path of [`/admin/v1/email/smtp/${providerId}/_test`, `/smtp/${providerId}/_test`]) {
        const answer = await server.rest("POST", path, { body });
        assert.deepEqual([answer.status, answer.body.details?.[0]?.id], [400, id], JSON.stringify(answer.body));
        assert.doesNotMatch(JSON.stringify(answer.body), /4711|password-/);
      }
    }
    assert.deepEqual([mail.received.length, silent.received.length], [0, 0]);
  });

  test("XOAUTH2: the access token comes from the token endpoint, and serves as long as it lives", async (t) => {
    const server = await start(t, { certificates: testCertificate.cert });
    const mail = await startMailServer(t, { tls: "implicit", login: { user: "login", accessToken: "token-4711" } });
    const endpoint = await startReceiver(t);
    endpoint.answer = (_request, response) =>
      response.end(JSON.stringify({ access_token: "token-4711", token_type: "bearer", expires_in: 3600 }));
    const xoauth2 = {
      tokenEndpoint: `${endpoint.origin}/token`,
      scopes: ["smtp.send"],
      clientCredentials: { clientId: "client", clientSecret: password },
    };
    const settings = { ...sender, host: mail.host, tls: true, user: "login", xoauth2 };
    const id = await addProvider(server, "/email/smtp", settings);
    const sent = await server.rest("POST", `/admin/v1/email/smtp/${id}/_test`, { body: { receiverAddress } });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    assert.deepEqual(mail.logins, ["XOAUTH2 login right"]);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(endpoint.received[0]?.body)), {
      grant_type: "client_credentials",
      client_id: "client",
      client_secret: password,
      scope: "smtp.send",
    });
    await activate(server, `/email/${id}`);
    const asked = async (username: string): Promise<number> => {
      const before = mail.received.length;
      await createPerson(server, username);
      await eventually(() => mail.received.length > before, "the message arrives");
      return endpoint.received.length;
    };
    assert.deepEqual([await asked("one"), await asked("two")], [2, 2]);
    server.clock.now += 3_600_000;
    assert.equal(await asked("three"), 3);
    endpoint.answer = (_request, response) => response.end(JSON.stringify({ access_token: "other" }));
    const refused = await server.rest("POST", `/admin/v1/email/smtp/${id}/_test`, { body: { receiverAddress } });
    assert.deepEqual([refused.status, refused.body.details[0].id], [400, "smtp.authentication_failed"]);
  });

  test("a sender outside of the instance's domains is refused when the settings demand one of them", async (t) => {
    const server = await start(t);
    const settings = { ...sender, host: "localhost:25", none: {} };
    await changeSettings(server, "domain", { smtpSenderAddressMatchesInstanceDomain: true });
    const foreign = await server.rest("POST", "/admin/v1/email/smtp", { body: settings });
    assert.deepEqual([foreign.status, foreign.body.details[0].id], [400, "message_provider.sender_domain_foreign"]);
    await addProvider(server, "/email/smtp", { ...settings, senderAddress: "login@localhost" });
  });
});

function assertNames(answer: RestAnswer, field: string): void {
  assert.ok(JSON.stringify(answer.body).includes(field), `${JSON.stringify(answer.body)} names ${field}`);
}
