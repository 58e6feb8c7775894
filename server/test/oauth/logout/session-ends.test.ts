import assert from "node:assert/strict";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { eventually, settle, signInTo, startListening, verifyToken } from "../support/back-channel.ts";
import { personCall } from "../token-exchange/person-call.ts";

const fresh = "a fresh and long sentence";
const minute = 60_000;

/** What the logout tokens say that a receiver got. */
const claimsOf = ({ received }: Receiver): Record<string, unknown>[] =>
  received.map(({ body }) => {
    const [, claims = ""] = (new URLSearchParams(body).get("logout_token") ?? "").split(".");
    return JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  });

/** Lets so many milliseconds pass, and the jobs run. */
async function pass(server: OidcServer, milliseconds: number): Promise<void> {
  server.clock.now += milliseconds;
  await server.app.jobs.tick();
}

interface Signed {
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly accessToken: string;
}

async function signIn(server: OidcServer, person: Person, client = server.client): Promise<Signed> {
  const { sessionId, sessionToken } = await server.signIn({ client, user: person });
  const tokens = await server.tokens({ client, user: person, session: { sessionId, sessionToken } });
  return { sessionId, sessionToken, accessToken: tokens["access_token"] ?? "" };
}

/** Ways to set a password, and whether the session in which it is done stays. */
const passwordChanges: readonly [
  what: string,
  set: (server: OidcServer, person: Person, session: Signed) => Promise<{ readonly status: number }>,
  stays: boolean,
][] = [
  [
    "an administrator",
    (server, { userId }) =>
      server.rest("POST", `/v2/users/${userId}/password`, { body: { newPassword: { password: fresh } } }),
    false,
  ],
  [
    "an administrator, beside other changes",
    (server, { userId }) =>
      server.connect("service.user.v2.UserService/UpdateUser", {
        userId,
        human: { password: { password: { password: fresh } } },
      }),
    false,
  ],
  [
    "a code",
    async (server, { userId }) => {
      const reset = await server.connect("service.user.v2.UserService/PasswordReset", { userId, returnCode: {} });
      const body = { newPassword: { password: fresh }, verificationCode: reset.body.verificationCode };
      return server.rest("POST", `/v2/users/${userId}/password`, { body });
    },
    false,
  ],
  [
    "the person",
    (server, { userId, password }, { sessionToken }) =>
      server.rest("POST", `/v2/users/${userId}/password`, {
        token: sessionToken,
        body: { newPassword: { password: fresh }, currentPassword: password },
      }),
    true,
  ],
];

enginesInTurn((engine, test, both) => {
  test("a session that expires is told of as one that was ended, once, and nothing else ends with it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const listening = await startListening(t, server);
    const { sessionId, tokens } = await signInTo(server, [listening.client, server.client]);
    const lasting = await signInTo(server, [listening.client]);
    const { status } = await server.rest("PATCH", `/v2/sessions/${sessionId}`, { body: { lifetime: "60s" } });
    assert.equal(status, 200);
    await pass(server, minute - 1);
    assert.equal(listening.receiver.connections, 0);
    await settle(server, 1);
    const { payload } = await verifyToken(server, listening, listening.receiver.received[0]?.body ?? "");
    assert.deepEqual([payload["sid"], payload.sub], [sessionId, server.user.userId]);
    await pass(server, 10 * minute);
    assert.equal(listening.receiver.received.length, 1, "once, and not of the session that lasts");
    for (const { access_token: token = "" } of [...tokens, ...lasting.tokens]) {
      assert.equal((await server.introspect(token))["active"], true);
    }
  });

  test("a browser's session that is renewed expires later, continues after it had expired, and ends again", async (t) => {
    const server = await startOidcServer(t, { engine });
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 600 });
    const receiver = await startReceiver(t);
    const client = await addClient(server, { backChannelLogoutUri: `${receiver.origin}/out` });
    const browser = new TestBrowser(server);
    const again = async (): Promise<void> => {
      const { page } = await visit(server, client, { prompt: "login" }, browser);
      assert.ok(isBack(await enter({ browser, page }, server.user)));
    };
    await again();
    await pass(server, 5 * minute);
    await again();
    await pass(server, 9 * minute);
    assert.equal(receiver.connections, 0, "renewed in time");
    await pass(server, 2 * minute);
    await eventually(() => receiver.received.length === 1, "the client is told that it expired");
    receiver.answer = (_request, response) => response.writeHead(503).end();
    await again();
    await pass(server, 11 * minute);
    await eventually(() => receiver.received.length === 2, "expired once more, and the client is down");
    receiver.answer = (_request, response) => response.end();
    await again();
    await pass(server, minute);
    await pass(server, minute);
    assert.equal(receiver.received.length, 2, "the session goes on: nobody is told any more that it ended");
    await browser.submit(await browser.open("/oidc/v1/end_session"));
    await eventually(() => receiver.received.length === 3, "the client is told that it was ended");
    const claims = claimsOf(receiver);
    assert.equal(new Set(claims.map(({ sid }) => sid)).size, 1);
    assert.equal(new Set(claims.map(({ jti }) => jti)).size, 3);
  });

  test("a client that was not told that a session expired is told when it ends after it was renewed", async (t) => {
    const server = await startOidcServer(t, { engine });
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 600 });
    const receiver = await startReceiver(t);
    receiver.answer = (_request, response) => response.writeHead(503).end();
    const client = await addClient(server, { backChannelLogoutUri: `${receiver.origin}/out` });
    const browser = new TestBrowser(server);
    const { page } = await visit(server, client, { prompt: "login" }, browser);
    assert.ok(isBack(await enter({ browser, page }, server.user)));
    await pass(server, 11 * minute);
    await eventually(() => receiver.received.length === 1, "expired, and the client is down");
    const renewed = await enter({ browser, page: await browser.open("/ui/login?account=other") }, server.user);
    assert.equal(renewed.address, "/ui/login/signed-in", "without the client");
    receiver.answer = (_request, response) => response.end();
    await pass(server, minute);
    await pass(server, minute);
    assert.equal(receiver.received.length, 1, "the session goes on");
    await browser.submit(await browser.open("/oidc/v1/end_session"));
    await eventually(() => receiver.received.length === 2, "the client is told that it was ended");
    const [expired, ended] = claimsOf(receiver);
    assert.equal(ended?.["sid"], expired?.["sid"]);
  });

  both("a client that the user put out after a session expired learns nothing of what follows", async (t) => {
    const server = await startOidcServer(t, { engine });
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 600 });
    const receivers = await Promise.all([0, 1].map(() => startReceiver(t)));
    const clients = await Promise.all(
      receivers.map(({ origin }) => addClient(server, { backChannelLogoutUri: `${origin}/out` })),
    );
    const answerAll = (status: number): void => {
      for (const receiver of receivers) receiver.answer = (_request, response) => response.writeHead(status).end();
    };
    const counts = () => receivers.map(({ received }) => received.length);
    const are = (expected: string, what: string) => eventually(() => counts().join() === expected, what);
    answerAll(503);
    const browser = new TestBrowser(server);
    const [first, second] = clients;
    assert.ok(first && second);
    const { page, codeVerifier } = await visit(server, first, { prompt: "login" }, browser);
    const { address } = await enter({ browser, page }, server.user);
    assert.equal((await first.exchange(address, codeVerifier)).status, 200);
    const silent = await visit(server, second, {}, browser);
    assert.equal((await second.exchange(silent.page.address, silent.codeVerifier)).status, 200);
    await pass(server, 11 * minute);
    await are("1,1", "expired, and the clients are down");
    const putOut = async ({ clientId }: { readonly clientId: string }) =>
      revokeOwnClient(server.app.domain, await personCall(server, server.user.userId), { clientId });
    await putOut(first);
    const renewed = await enter({ browser, page: await browser.open("/ui/login?account=other") }, server.user);
    assert.equal(renewed.address, "/ui/login/signed-in", "without the clients");
    await pass(server, minute);
    await browser.submit(await browser.open("/oidc/v1/end_session"));
    await are("1,2", "the other client is told that it was ended, and is down");
    // Of what ended while it was let in, a client is told also afterwards.
    await putOut(second);
    answerAll(200);
    await pass(server, minute);
    await are("1,3", "told once more");
    await pass(server, 10 * minute);
    assert.deepEqual(counts(), [1, 3]);
  });

  both("a client that only knows of a session is put out as well, and learns nothing of its end", async (t) => {
    const server = await startOidcServer(t, { engine });
    const receivers = await Promise.all([0, 1].map(() => startReceiver(t)));
    const clients = await Promise.all(
      receivers.map(({ origin }) => addClient(server, { backChannelLogoutUri: `${origin}/out` })),
    );
    const browser = new TestBrowser(server);
    // Neither redeems its code, so that they have no tokens.
    for (const [index, client] of clients.entries()) {
      const { page } = await visit(server, client, {}, browser);
      assert.ok(isBack(index === 0 ? await enter({ browser, page }, server.user) : page));
    }
    const call = await personCall(server, server.user.userId);
    await revokeOwnClient(server.app.domain, call, { clientId: clients[0]?.clientId ?? "" });
    await browser.submit(await browser.open("/oidc/v1/end_session"));
    await eventually(() => receivers[1]?.received.length === 1, "the other client is told");
    await pass(server, minute);
    assert.equal(receivers[0]?.received.length, 0);
  });

  test("setting a password ends the sessions of the user with their tokens, but for the one that does it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const listening = await startListening(t, server);
    const isActive = async ({ accessToken }: Signed) => (await server.introspect(accessToken))["active"];
    const bystander = await signIn(server, await addPerson(server, { username: "bystander" }));
    let told = 0;
    for (const [index, [what, set, stays]] of passwordChanges.entries()) {
      const person = await addPerson(server, { username: `person${index}` });
      const other = await signIn(server, person, listening.client);
      const acting = await signIn(server, person);
      const { status } = await set(server, person, acting);
      assert.ok(status < 300, `${what}: ${status}`);
      assert.equal(await isActive(other), false, what);
      assert.equal(await isActive(acting), stays, what);
      told++;
      await eventually(() => listening.receiver.received.length === told, `${what}: the client is told`);
      assert.equal(claimsOf(listening.receiver).at(-1)?.["sid"], other.sessionId, what);
    }
    assert.equal(await isActive(bystander), true);
  });

  test("a password that has to be replaced ends the sessions elsewhere, not that of the browser", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { user } = server;
    const client = await addClient(server);
    server.clock.now += 23 * 60 * minute;
    const signedIn = async () => {
      const { browser, page, codeVerifier } = await visit(server, client);
      const { body } = await client.exchange((await enter({ browser, page }, user)).address, codeVerifier);
      return { browser, token: body.access_token as string };
    };
    const here = await signedIn();
    const elsewhere = await signedIn();
    server.clock.now += 120 * minute;
    await changeSettings(server, "password_expiry", { maxAgeDays: 1 });
    const { browser } = here;
    const { page } = await visit(server, client, { prompt: "login" }, browser);
    const change = await enter({ browser, page }, user);
    assert.match(change.html, /has expired/);
    const back = await browser.submit(change, {
      current_password: user.password,
      new_password: fresh,
      new_password_repeated: fresh,
    });
    assert.ok(isBack(back), back.html);
    const userinfo = async ({ token }: { token: string }) =>
      (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.deepEqual([await userinfo(here), await userinfo(elsewhere)], [200, 401]);
  });
});
