import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { trustHost } from "../support/servers/trust-host.ts";

const json = { accept: "application/json" };
const path = "/ui/dev/inbox";

test("the inbox of a development server has what would have been sent, for people and for programs", async (t) => {
  const server = await startOidcServer(t);
  assert.deepEqual((await server.rest("GET", path, { token: null, headers: json })).body, { messages: [] });
  const { userId } = server.user;
  await trustHost(server, "app.example");
  const urlTemplate = "https://app.example/reset?user={{.UserID}}&code={{.Code}}&name={{.LoginName}}";
  const sent = await server.rest("POST", `/v2/users/${userId}/password_reset`, { body: { sendLink: { urlTemplate } } });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));

  const { status, headers, body } = await server.rest("GET", path, { token: null, headers: json });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  const [message, ...more] = body.messages;
  assert.deepEqual(more, []);
  assert.match(message.code, /^\w/);
  const { code, id, expiresAt, organizationId, link, subject, text, html: mail, ...rest } = message;
  assert.deepEqual(rest, {
    kind: "password_reset",
    channel: "email",
    recipient: "ada@example.com",
    language: "en",
    state: "queued",
    userId,
    createdAt: new Date(server.clock.now).toISOString(),
  });
  assert.equal(subject, "Set a new password");
  assert.ok(text.includes(link) && mail.includes(code));
  assert.equal(new URL(link).searchParams.get("code"), code);
  assert.equal(new URL(link).searchParams.get("name"), server.user.loginName);
  assert.ok(id && organizationId && Date.parse(expiresAt) > server.clock.now);

  const page = await server.rest("GET", path, { token: null, headers: { accept: "text/html,*/*" } });
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.ok(page.body.includes(code) && page.body.includes("ada@example.com"));
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);

  const shown = await server.rest("GET", `${path}/mail?id=${id}`, { token: null });
  assert.deepEqual([shown.status, shown.body], [200, mail]);
  const policy = shown.headers.get("content-security-policy") ?? "";
  const style = createHash("sha256")
    .update(/<style>([^<]*)</.exec(mail)?.[1] ?? "")
    .digest("base64");
  assert.ok(
    policy.includes("default-src 'none'") && policy.includes(`'sha256-${style}'`) && policy.includes("sandbox"),
  );
  assert.equal((await server.rest("GET", `${path}/mail?id=1`, { token: null })).status, 404);
  const other = await server.rest("GET", `${path}?recipient=nobody@example.com`, { token: null, headers: json });
  assert.deepEqual(other.body, { messages: [] });
});

test("the inbox is for this machine alone, and only in development", async (t) => {
  const server = await startOidcServer(t);
  await server.rest("POST", `/v2/users/${server.user.userId}/password_reset`, { body: { sendLink: {} } });
  const { body } = await server.rest("GET", path, { token: null, headers: json });
  const mailPath = `${path}/mail?id=${body.messages[0].id}`;
  const fromElsewhere = { "x-forwarded-for": "192.0.2.1" };
  assert.equal((await server.rest("GET", mailPath, { token: null, headers: fromElsewhere })).status, 404);
  for (const accept of ["application/json", "text/html"]) {
    const headers = { accept, "x-forwarded-for": "192.0.2.1" };
    assert.equal((await server.rest("GET", path, { token: null, headers })).status, 404, accept);
  }
  const production = await startOidcServer(t, { config: { mode: "start" } });
  assert.equal((await production.rest("GET", path, { token: null, headers: json })).status, 404);
  assert.equal(production.app.serves(path), false);
  assert.equal(production.app.serves(`${path}/mail`), false);
});
