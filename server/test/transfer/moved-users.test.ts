import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { sql } from "../../src/database/index.ts";
import { actionsOf } from "../action/support/actions.ts";
import { keysAt } from "../factor/key-support.ts";
import { addApp, addFace, createSession, slugOf } from "../factor/support.ts";
import { eventually } from "../oauth/support/back-channel.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { type OidcServer, startOidcServer, useOidc } from "../support/oidc/oidc.ts";
import { addPerson } from "../support/people/people.ts";
import { apiOf, startServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { exportFrom, importInto, makeMasterKey } from "./support/transfer.ts";

/** Stops a server, moves what it had to another engine and master key, and starts one there at the same address. */
async function move(t: TestContext, source: OidcServer, engine: "sqlite" | "postgres"): Promise<OidcServer> {
  await source.app.close();
  const { file } = await exportFrom(source.location, source.app.domain.vault);
  const [location, { setting, vault }] = [await makeLocation(t, engine), makeMasterKey()];
  await importInto(location, file, { vault });
  const config = { port: source.port, baseUrl: source.origin, masterKeys: [setting] };
  const { ownerToken, origin } = source;
  const server = await startServer(t, { location, config, ownerToken, now: source.clock.now });
  assert.equal(server.port, source.port);
  const api = apiOf(origin, ownerToken);
  return { ...server, ...api, ...useOidc(api, source) };
}

eachEngine((_open, engine) => {
  const other = engine === "sqlite" ? "postgres" : "sqlite";

  test(`users go on after a move from ${engine} to ${other}, with all that they sign in with`, async (t) => {
    const source = await startOidcServer(t, { engine });
    const { origin, user } = source;
    const totp = await addPerson(source, { username: "grace" });
    const secret = await addApp(source, totp, (shared) => appCode(shared, source.clock.now));
    const holder = await addFace(source, "holder");
    const device = createAuthenticator({ origin });
    await keysAt(source).register(holder.userId, device, "Passkey");
    const tokens = await source.tokens({ scope: "openid offline_access" });
    const spent = await source.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: tokens["refresh_token"] ?? "" },
      source.client.basic,
    );
    const open = await source.signIn();

    const target = await move(t, source, other);
    await t.test("a personal access token", async () => {
      const read = await target.rest("GET", `/v2/users/${user.userId}`);
      assert.equal(read.status, 200, JSON.stringify(read.body));
      assert.equal((await target.rest("GET", `/v2/users/${user.userId}`, { token: "pat-of-others" })).status, 401);
    });

    await t.test("a password, and an authenticator app", async () => {
      const checks = { user: { userId: totp.userId }, password: { password: totp.password } };
      const code = appCode(secret, target.clock.now);
      const signedIn = await createSession(target, { checks: { ...checks, totp: { code } } });
      assert.equal(slugOf(signedIn), "done", JSON.stringify(signedIn.body));
      const wrong = await createSession(target, { checks: { ...checks, password: { password: "not the password" } } });
      assert.equal(slugOf(wrong), "user.password_wrong");
      const again = await createSession(target, { checks: { ...checks, totp: { code } } });
      assert.notEqual(slugOf(again), "done", "the code counts once");
    });

    await t.test("a passkey", async () => {
      const { sessionFor, challenge, answer } = keysAt(target);
      const sessionId = await sessionFor(holder.userId);
      assert.equal(slugOf(await answer(sessionId, device.get(await challenge(sessionId)))), "done");
    });

    await t.test("access, ID and refresh tokens, and a code that was not redeemed", async () => {
      assert.equal((await target.introspect(spent.body.access_token))["active"], true);
      const keys = (await (await fetch(`${origin}/oauth/v2/keys`)).json()) as JSONWebKeySet;
      const { payload } = await jwtVerify(tokens["id_token"] ?? "", createLocalJWKSet(keys), {
        issuer: origin,
        currentDate: new Date(target.clock.now),
      });
      assert.equal(payload.sub, user.userId);
      const redeemed = await target.form(
        "/oauth/v2/token",
        {
          grant_type: "authorization_code",
          code: open.code,
          redirect_uri: source.client.redirectUri,
          code_verifier: open.codeVerifier,
        },
        source.client.basic,
      );
      assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
      const refresh = (token: string) =>
        target.form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: token }, source.client.basic);
      const next = await refresh(spent.body.refresh_token);
      assert.equal(next.status, 200, JSON.stringify(next.body));
      // One that was used before the move counts as used here too.
      target.clock.now += 600_000;
      assert.equal((await refresh(tokens["refresh_token"] ?? "")).status, 400);
      assert.equal((await refresh(next.body.refresh_token)).status, 400, "the family ends with the reuse");
    });

    await t.test("a new sign-in, and a new user", async () => {
      assert.ok((await target.tokens())["access_token"]);
      const person = await addPerson(target, { username: "newcomer" });
      const found = await target.rest("POST", "/v2/users", {
        body: { queries: [{ userNameQuery: { userName: "newc", method: "TEXT_QUERY_METHOD_CONTAINS" } }] },
      });
      assert.deepEqual(
        found.body.result.map((each: { userId: string }) => each.userId),
        [person.userId],
      );
      const before = await target.rest("POST", "/v2/users", {
        body: { queries: [{ userNameQuery: { userName: "rac", method: "TEXT_QUERY_METHOD_CONTAINS" } }] },
      });
      assert.deepEqual(
        before.body.result.map((each: { userId: string }) => each.userId),
        [totp.userId],
      );
    });
  });

  test(`a target gets events of after a move from ${engine} to ${other}, and none again`, async (t) => {
    const source = await startOidcServer(t, { engine });
    const receiver = await startReceiver(t);
    const actions = actionsOf(source);
    const target = await actions.createTarget(receiver.origin);
    source.clock.now += 1000;
    await actions.set({ event: { event: "user.created" } }, [target]);
    const first = await addPerson(source, { username: "first" });
    const arrived = async (count: number) => {
      for (let attempt = 0; receiver.received.length < count && attempt < 500; attempt++) {
        await new Promise((wait) => setTimeout(wait, 10));
      }
      return receiver.received.map(({ body }) => JSON.parse(body).aggregateID as string);
    };
    assert.deepEqual(await arrived(1), [first.userId]);
    // A server that stops before it has the answer of a target asks again, wherever it goes on.
    const delivered = sql`select 1 as "found" from deliveries where state = 'delivered'`;
    await eventually(
      async () => (await source.app.domain.database.read.maybe(delivered)) !== undefined,
      "the answer is noted",
    );
    const moved = await move(t, source, other);
    const second = await addPerson(moved, { username: "second" });
    await moved.app.jobs.tick();
    assert.deepEqual(await arrived(2), [first.userId, second.userId]);
    const positions = await moved.app.domain.database.read.all<{ position: number }>(
      sql`select position as "position" from events order by position`,
    );
    assert.equal(new Set(positions.map(({ position }) => position)).size, positions.length);
  });
});

test("what no configured master key opens moves as it is, and its own key opens it there", async (t) => {
  const source = await startOidcServer(t);
  const person = await addPerson(source, { username: "grace" });
  await addApp(source, person, (shared) => appCode(shared, source.clock.now));
  await source.app.close();
  const own = source.app.domain.vault;
  const { digest } = await exportFrom(source.location, own);
  const { file, unreadable } = await exportFrom(source.location, makeMasterKey().vault);
  assert.ok(unreadable >= 3, `${unreadable}`);
  const [location, target] = [await makeLocation(t, "sqlite"), makeMasterKey()];
  await importInto(location, file, target);
  assert.equal((await exportFrom(location, target.vault)).unreadable, unreadable);
  const again = await exportFrom(location, own);
  assert.deepEqual([again.unreadable, again.digest], [0, digest]);
});
