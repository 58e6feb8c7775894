import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { lives, make } from "../authorization/support/prepared.ts";
import { keysAt } from "../factor/key-support.ts";
import { addApp, callUser, createSession, refusalOf, setSession } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { addPerson, appoint, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const hour = 3_600_000;

/** Ways to change the factors of users, and to sign in with what a thief of the password has. */
function at(server: TestServer) {
  const keys = keysAt(server);
  let count = 0;
  const withApp = async () => {
    const user = await addPerson(server, { username: `mover-${++count}` });
    const secret = await addApp(server, user, (key) => appCode(key, server.clock.now));
    server.clock.now += hour;
    return { ...user, secret };
  };
  const open = async ({ userId, password }: Person, more: object = {}) => {
    const { status, body } = await createSession(server, {
      checks: { user: { userId }, password: { password }, ...more },
    });
    assert.ok(status < 300, JSON.stringify(body));
    return { sessionId: String(body.sessionId), token: String(body.sessionToken) };
  };
  const addKey = async ({ userId }: Pick<Person, "userId">) => {
    const id = await keys.register(userId, createAuthenticator({ origin: server.origin }), "U2F");
    server.clock.now += 60_000;
    return id;
  };
  const removeApp = async ({ userId }: Pick<Person, "userId">) => {
    await callUser(server, "RemoveTOTP", { userId });
    server.clock.now += 60_000;
  };
  return { withApp, open, addKey, removeApp };
}

eachServer((start: (t: TestContext) => Promise<TestServer>) => {
  test("a sign-in that two factors were demanded of stays one when they are replaced", async (t) => {
    const server = await start(t);
    const { withApp, open, addKey, removeApp } = at(server);

    await t.test("by one of another kind", async () => {
      const user = await withApp();
      const half = await open(user);
      const whole = await open(user, { totp: { code: appCode(user.secret, server.clock.now) } });
      assert.deepEqual([await lives(server, half.token), await lives(server, whole.token)], [false, true]);
      server.clock.now += hour;
      await addKey(user);
      await removeApp(user);
      assert.equal(await lives(server, half.token), false, "the password alone");
      assert.equal(await lives(server, whole.token), true, "both factors of that time");
      assert.equal(await lives(server, (await open(user)).token), false, "the password alone, now");
    });

    await t.test("by another app, without any for a moment", async () => {
      const user = await withApp();
      const half = await open(user);
      server.clock.now += hour;
      await removeApp(user);
      assert.equal(await lives(server, half.token), false, "while there is none");
      const between = await open(user);
      assert.equal(await lives(server, between.token), true, "a sign-in since then needs none");
      server.clock.now += 60_000;
      await addApp(server, user, (key) => appCode(key, server.clock.now));
      assert.equal(await lives(server, half.token), false, "once there is another");
      assert.equal(await lives(server, between.token), true, "it is asked for at the next sign-in");
    });

    await t.test("several times", async () => {
      const user = await withApp();
      const half = await open(user);
      for (let round = 0; round < 2; round++) {
        server.clock.now += hour;
        const keyId = await addKey(user);
        if (round === 0) await removeApp(user);
        await callUser(server, "RemoveU2F", { userId: user.userId, u2fId: keyId });
        assert.equal(await lives(server, half.token), false);
      }
    });

    await t.test("a sign-in from before the first factor goes on", async () => {
      const user = await addPerson(server, { username: "newcomer" });
      const before = await open(user);
      server.clock.now += hour;
      await addApp(server, user, (key) => appCode(key, server.clock.now));
      assert.equal(await lives(server, before.token), true);
      await removeApp(user);
      assert.equal(await lives(server, before.token), true);
    });

    await t.test("a password that is checked again counts from then on", async () => {
      const user = await withApp();
      const { sessionId } = await open(user);
      server.clock.now += hour;
      await removeApp(user);
      const again = await setSession(server, sessionId, { checks: { password: { password: user.password } } });
      assert.equal(await lives(server, again.body.sessionToken), true);
    });
  });

  test("a clerk with the password of an administrator does not get past factors that are replaced", async (t) => {
    const server = await start(t);
    const { open, addKey, removeApp } = at(server);
    const [acme, other] = [await addStaff(server, "acme"), await addStaff(server, "other")];
    const user = await make(server, acme, "ada", acme.clerk.token);
    await addApp(server, user, (key) => appCode(key, server.clock.now));
    await appoint(server, user, { organizationId: other.organizationId }, ["ORG_OWNER"]);
    assert.equal(
      await refusalOf(server, "RemoveTOTP", { userId: user.userId }, acme.clerk.token),
      "user.administers_more",
    );
    server.clock.now += hour;
    const half = await open(user);
    await addKey(user);
    await removeApp(user);
    const read = await server.rest("POST", "/v2/users", {
      token: half.token,
      body: {},
    });
    assert.equal(read.status, 401);
    const fresh = { userId: user.userId, domain: "" };
    assert.equal(await refusalOf(server, "RegisterPasskey", fresh, half.token), "authentication.invalid_token");
  });

  test("a page that waits for a factor that is removed asks for the password again", async (t) => {
    const server = await start(t);
    const { withApp, removeApp } = at(server);
    const user = await withApp();
    const browser = new TestBrowser(server);
    const asked = await browser.submit(await browser.open("/ui/login"), { login_name: user.loginName });
    const code = await browser.submit(asked, { password: user.password });
    assert.match(code.address, /second-factor/);
    server.clock.now += 60_000;
    await removeApp(user);
    const next = await browser.submit(code, { code: "123456" });
    assert.doesNotMatch(next.address, /signed-in/);
    const again = await browser.open("/ui/login");
    const named = again.html.includes("login_name")
      ? await browser.submit(again, { login_name: user.loginName })
      : again;
    const end = await browser.submit(named, { password: user.password });
    assert.match(end.address, /signed-in|offer|add-factor/);
  });
});
