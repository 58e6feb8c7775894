import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const replacement = "another long sentence of words";

/** A browser that has proven the password, at the page that follows. */
async function prove(server: TestServer, { loginName, password }: Pick<Person, "loginName" | "password">) {
  const browser = new TestBrowser(server);
  const begin = await browser.open("/ui/login?account=other");
  const asked = await browser.submit(begin, { login_name: loginName }, { action: "/ui/login" });
  return { browser, page: await browser.submit(asked, { password }, { action: "/ui/login/password" }) };
}

const skip = ({ browser, page }: { browser: TestBrowser; page: ShownPage }): Promise<ShownPage> =>
  browser.submit(page, {}, { action: "/skip" });

async function countSessions(server: TestServer, userId: string): Promise<number> {
  const live = await server.app.domain.database.read.all(
    sql`select session_id from sessions where user_id = ${userId} and terminated_at is null`,
  );
  return live.length;
}

async function replace(server: TestServer, userId: string): Promise<void> {
  const body = { newPassword: { password: replacement } };
  const changed = await server.rest("POST", `/v2/users/${userId}/password`, { body });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
}

serversInTurn((start, test, both) => {
  both("no sign-in that is under way survives the replacement of its password", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });

    await t.test("those that are about to write their session", async () => {
      const ada = await addPerson(server, { username: "ada" });
      const checks = { user: { userId: ada.userId }, password: { password: ada.password } };
      const open = async () => (await server.rest("POST", "/v2/sessions", { body: { checks } })).status;
      assert.equal(await open(), 201);
      assert.equal(await countSessions(server, ada.userId), 1);
      const attempts = await Promise.all(Array.from({ length: 12 }, () => prove(server, ada)));
      server.clock.now += 60_000;
      const skipped = attempts.map(async (attempt, i) => {
        await wait(i * 5);
        return skip(attempt);
      });
      const opened = Array.from({ length: 6 }, async (_, i) => {
        await wait(i * 10);
        return open();
      });
      await wait(15);
      await replace(server, ada.userId);
      await Promise.all([...skipped, ...opened]);
      assert.equal(await countSessions(server, ada.userId), 0);
      checks.password.password = replacement;
      assert.equal(await open(), 201, "with the new password");
    });

    await t.test("also when the node that replaced it has a slower clock", async () => {
      for (const isReplaced of [true, false]) {
        const bob = await addPerson(server, { username: `bob-${isReplaced}` });
        const attempt = await prove(server, bob);
        server.clock.now -= 500;
        if (isReplaced) await replace(server, bob.userId);
        server.clock.now += 60_000;
        const end = await skip(attempt);
        assert.equal(end.address.startsWith("/ui/login/signed-in"), !isReplaced, end.address);
        assert.equal(await countSessions(server, bob.userId), isReplaced ? 0 : 1);
      }
    });
  });

  test("a password that has to be replaced signs in when it is, and sessions that stay go on", async (t) => {
    const server = await start(t);
    const eve = await addPerson(server, { username: "eve" });
    const set = { newPassword: { password: "first long sentence of words", changeRequired: true } };
    assert.equal((await server.rest("POST", `/v2/users/${eve.userId}/password`, { body: set })).status, 200);
    const current = set.newPassword.password;
    const { browser, page } = await prove(server, { ...eve, password: current });
    assert.ok(page.address.startsWith("/ui/login/password-change"), page.address);
    const form = { current_password: current, new_password: replacement, new_password_repeated: replacement };
    const end = await browser.submit(page, form, { action: "/ui/login/password-change" });
    assert.ok(end.address.startsWith("/ui/login/signed-in"), end.address);
    assert.equal(await countSessions(server, eve.userId), 1);
    const account = await browser.open("/ui/account");
    assert.ok(account.address.startsWith("/ui/account"), account.address);
  });
});

// On SQLite units of work come one after the other.
onPostgres(() => {
  test("an attempt adds no second factor once its password was replaced", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    await changeSettings(server, "login", { forceMfa: true });
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    for (const isReplaced of [true, false]) {
      const eve = await addPerson(server, { username: `eve-${isReplaced}` });
      const { userId } = eve;
      const { browser, page: setUp } = await prove(server, eve);
      const page = await browser.submit(setUp, { kind: "totp" }, { action: "/ui/login/add-factor" });
      const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1] ?? "").replaceAll(" ", "");
      assert.notEqual(secret, "", page.html);
      const gate = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      // As a replacement does it, which holds the user.
      const replaced = database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
        await tx.all(
          sql`select user_id from users where instance_id = ${instanceId} and user_id = ${userId} for update`,
        );
        held.resolve();
        await gate.promise;
        if (isReplaced) {
          await tx.run(
            sql`update users set password_hash = 'another', sign_in_epoch = sign_in_epoch + 1 where instance_id = ${instanceId} and user_id = ${userId}`,
          );
        }
      });
      await held.promise;
      const sent = browser.submit(page, { code: appCode(secret, server.clock.now) }, { action: "/add-factor/totp" });
      await Promise.race([sent, wait(500)]);
      gate.resolve();
      await replaced;
      await sent;
      const ready = await database.read.all(
        sql`select kind from user_factors where user_id = ${userId} and kind = 'totp' and state = 'ready'`,
      );
      assert.equal(ready.length, isReplaced ? 0 : 1);
      assert.equal(await countSessions(server, userId), isReplaced ? 0 : 1);
    }
  });
});
