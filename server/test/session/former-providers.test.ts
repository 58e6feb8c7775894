import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, text } from "../../src/database/index.ts";
import { addApp } from "../factor/support.ts";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { goOn } from "../login/support/second-factors.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const newPassword = "an entirely different password 77";
const twoFactors = {
  claims: JSON.stringify({ id_token: { acr: { essential: true, values: ["urn:service:iam:acr:2"] } } }),
};
const asksForCode = ({ title }: ShownPage): boolean => title.startsWith("Enter the code from your app");

const factorsOf = async (server: TestServer, table: "sessions" | "sign_ins", { userId }: Person) => {
  const rows = await server.app.domain.database.read.all<{ factors: string }>(
    sql`select factors from ${text(table)} where user_id = ${userId}`,
  );
  return rows.map(({ factors }): { intentId?: string } => JSON.parse(factors));
};

/** Writes that the provider ended the session of the word in the sign-in of a user that is under way. */
async function endAtProvider(server: TestServer, vera: Person, idp: string): Promise<void> {
  const { database, findInstanceByHost } = server.app.domain;
  const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
  const [{ intentId } = {}] = await factorsOf(server, "sign_ins", vera);
  assert.ok(intentId !== undefined);
  const { now } = server.clock;
  await database.touch(testCall({ instanceId, now }), async (tx) => {
    await tx.run(sql`insert into provider_sessions (instance_id, intent_id, identity_provider_id, speaker, name_id,
        name_id_values, session_index, created_at, expires_at, ended_at)
      values (${instanceId}, ${intentId}, ${idp}, '', '', '[]', '', 1, ${now + day}, ${now})`);
    await tx.run(sql`update sessions set terminated_at = ${now}
      where instance_id = ${instanceId} and user_id = ${vera.userId}`);
  });
}

eachServer((start) => {
  test("a former sign-in at providers counts on the hosted pages while the last of them is offered", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const client = await addClient(server);
    const first = await trust.addTo("", undefined, bodyAt(provider));
    const second = await trust.addTo("", undefined, bodyAt(provider));
    const offer = (...identityProviderIds: string[]) => changeSettings(server, "login", { identityProviderIds });
    // Longer than codes count for.
    await changeSettings(server, "login", { externalLoginCheckLifetimeSeconds: (10 * day) / 1000 });
    let count = 0;

    /** Makes a user with accounts at both providers. */
    const addVera = async (): Promise<Person> => {
      await offer(first, second);
      const vera = await addPerson(server, { username: `vera-${++count}` });
      for (const idp of [first, second]) assert.equal(await trust.link(vera.userId, idp, vera.userId), "200");
      return vera;
    };
    /** Lets a user answer at a provider, on a page of the login. */
    const answerAt = async (browser: TestBrowser, page: ShownPage, idp: string, { userId }: Person) => {
      server.clock.now += minute;
      provider.user = { sub: userId, email: "x@provider.example", email_verified: true };
      const away = await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      return browser.open(back.pathname + back.search);
    };
    /** Signs a browser in at providers, one after the other, without an application. */
    const signInAt = async (vera: Person, code: (() => string) | undefined, ...idps: readonly string[]) => {
      const browser = new TestBrowser(server);
      for (const idp of idps) {
        const page = await answerAt(browser, await browser.open("/ui/login?account=other"), idp, vera);
        const end = code !== undefined && asksForCode(page) ? await browser.submit(page, { code: code() }) : page;
        assert.equal(end.address, "/ui/login/signed-in", end.html);
      }
      return browser;
    };
    /** Adds an app for codes; returns what it shows from now on. */
    const addCodes = async (vera: Person): Promise<() => string> => {
      server.clock.now += minute;
      const secret = await addApp(server, vera, (made) => appCode(made, server.clock.now));
      return () => {
        server.clock.now += minute;
        return appCode(secret, server.clock.now);
      };
    };
    const other = (browser: TestBrowser) => browser.open("/ui/login?account=other");
    const isIn = (page: ShownPage) => page.address === "/ui/login/signed-in";

    /** A user whose password was set in a session at the first provider. */
    const addPrepared = async (): Promise<Person> => {
      const vera = await addVera();
      provider.user = { sub: vera.userId, email: "x@provider.example", email_verified: true };
      const checks = { user: { userId: vera.userId }, idpIntent: await provenAttempt(server, provider, first) };
      const made = await server.rest("POST", "/v2/sessions", { body: { checks } });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const changed = await server.rest("POST", `/v2/users/${vera.userId}/password`, {
        token: made.body.sessionToken,
        body: { newPassword: { password: newPassword }, currentPassword: vera.password },
      });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      return { ...vera, password: newPassword };
    };

    for (const [name, at, offered, isCounted] of [
      ["both offered", [first, second], [first, second], true],
      // What was proven at the latter would be enough alone, as in a custom login.
      ["the former taken off", [first, second], [second], true],
      ["the latter taken off", [first, second], [first], false],
      ["another taken off", [second], [second], true],
      ["its own taken off", [second], [first], false],
    ] as const) {
      await t.test(`a session is stepped up: ${name}`, async () => {
        const vera = await addVera();
        const browser = await signInAt(vera, undefined, ...at);
        const code = await addCodes(vera);
        await offer(...offered);
        const { page } = await visit(server, client, twoFactors, browser);
        // No code is asked for that would add to nothing.
        assert.equal(asksForCode(page), isCounted, page.title);
        const end = asksForCode(page) ? await browser.submit(page, { code: code() }) : page;
        assert.equal(isBack(end), isCounted, end.html);
        // What is proven anew counts.
        if (isCounted) return;
        const again = await visit(server, client, twoFactors, browser);
        const choice = await browser.open(`/ui/login?authRequest=${again.authRequestId}&account=other`);
        const asked = await answerAt(browser, choice, offered[0], vera);
        const done = asksForCode(asked) ? await browser.submit(asked, { code: code() }) : asked;
        assert.ok(isBack(done), done.html);
      });
    }

    await t.test("a password in a browser that was signed in at a provider taken off since", async () => {
      for (const person of [await addVera(), await addPrepared()]) {
        const code = await addCodes(person);
        for (const offered of [[first, second], [second]]) {
          await offer(first, second);
          const browser = await signInAt(person, code, first);
          await offer(...offered);
          // The code is too old by now, and the word of the provider is not.
          server.clock.now += day;
          const asked = await enter({ browser, page: await other(browser) }, person);
          const end = await browser.submit(asked, { code: code() });
          assert.ok(isIn(end), end.html);
        }
        const fresh = new TestBrowser(server);
        const page = await enter({ browser: fresh, page: await other(fresh) }, person);
        assert.ok(isIn(await fresh.submit(page, { code: code() })), "another browser");
      }
    });

    await t.test("a provider is taken off while a code is waited for", async () => {
      for (const person of [await addVera(), await addPrepared()]) {
        await offer(first, second);
        const code = await addCodes(person);
        const browser = await signInAt(person, code, first);
        server.clock.now += day;
        const asked = await enter({ browser, page: await other(browser) }, person);
        const answered = new TestBrowser(server);
        const waiting = await answerAt(answered, await other(answered), first, person);
        const latter = new TestBrowser(server);
        const awaiting = await answerAt(latter, await other(latter), second, person);
        await offer(second);
        const byPassword = await browser.submit(asked, { code: code() });
        assert.ok(isIn(byPassword), byPassword.html);
        const byWord = await answered.submit(waiting, { code: code() });
        assert.ok(!isIn(byWord), "its word was all there was");
        const byOther = await latter.submit(awaiting, { code: code() });
        assert.ok(isIn(byOther), byOther.html);
      }
    });

    await t.test("the session at the provider ends while a code is waited for", async () => {
      for (const isByPassword of [true, false]) {
        const vera = await addVera();
        const code = await addCodes(vera);
        const browser = await signInAt(vera, code, first);
        server.clock.now += day;
        const page = await other(browser);
        const asked = isByPassword ? await enter({ browser, page }, vera) : await answerAt(browser, page, first, vera);
        await endAtProvider(server, vera, first);
        const end = await browser.submit(asked, { code: code() });
        assert.equal(isIn(end), isByPassword, end.html);
        const left = (await factorsOf(server, "sessions", vera)).map(({ intentId }) => intentId === undefined);
        assert.deepEqual(left.toSorted(), isByPassword ? [false, true] : [false], "nothing depends on the word later");
      }
    });

    await t.test("a factor is set up after a password while the provider is taken off", async () => {
      for (const [isByPassword, isOffered] of [
        [true, false],
        [false, true],
        [false, false],
      ]) {
        const person = await addPrepared();
        const browser = await signInAt(person, undefined, first);
        const demand = (...ids: string[]) =>
          changeSettings(server, "login", { forceMfa: true, identityProviderIds: ids });
        await demand(first, second);
        const page = await other(browser);
        const asked = isByPassword
          ? await enter({ browser, page }, person)
          : await answerAt(browser, page, first, person);
        const shown = await browser.submit(asked, { kind: "totp" }, { action: "/ui/login/add-factor" });
        await demand(second, ...(isOffered ? [first] : []));
        const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(shown.html)?.[1] ?? "").replaceAll(" ", "");
        const code = appCode(secret, server.clock.now);
        const end = await goOn(browser, await browser.submit(shown, { code }, { action: "/add-factor/totp" }));
        await changeSettings(server, "login", { forceMfa: false });
        assert.equal(isIn(end), isByPassword || isOffered, end.html);
      }
    });

    await t.test("a link that was made in a session at a provider that was taken off since", async () => {
      const vera = await addVera();
      const removed = await server.rest("DELETE", `/v2/users/${vera.userId}/links/${second}/${vera.userId}`, {});
      assert.equal(removed.status, 200, JSON.stringify(removed.body));
      server.clock.now += minute;
      provider.user = { sub: vera.userId, email: "x@provider.example", email_verified: true };
      const checks = { user: { userId: vera.userId }, idpIntent: await provenAttempt(server, provider, first) };
      const made = await server.rest("POST", "/v2/sessions", { body: { checks } });
      const token: string = made.body.sessionToken;
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, second);
      const read = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { token, body: { idpIntentToken } });
      assert.equal(read.status, 200, JSON.stringify(read.body));
      assert.equal(await trust.link(vera.userId, second, vera.userId, token), "200");
      const code = await addCodes(vera);
      await offer(second);
      const browser = new TestBrowser(server);
      const asked = await answerAt(browser, await other(browser), second, vera);
      assert.ok(asksForCode(asked), asked.html);
      const end = await browser.submit(asked, { code: code() });
      assert.ok(isIn(end), end.html);
    });
  });
});
