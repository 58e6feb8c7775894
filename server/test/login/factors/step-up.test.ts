import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { keysAt } from "../../factor/key-support.ts";
import { addApp, callUser, inboxOf } from "../../factor/support.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { allFactors, ask, codeOf, codesOn, goOn } from "../support/second-factors.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";

const one = "urn:service:iam:acr:1";
const two = "urn:service:iam:acr:2";
const multi = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const phr = "phr";

const insist = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});
const wish = (...values: string[]) => ({ acr_values: values.join(" ") });
const errorOf = ({ address }: ShownPage) => new URL(address, "http://localhost").searchParams.get("error");

/** Returns what the id token says of the sign-in that a browser was sent back with. */
async function said(client: SignInClient, back: ShownPage, codeVerifier: string) {
  assert.ok(isBack(back), `${back.address} ${back.title}`);
  const { body } = await client.exchange(back.address, codeVerifier);
  const { acr, amr, auth_time: authTime } = decodeJwt(body.id_token);
  return { acr, amr, authTime };
}

/** A browser in which a user signed in with a password alone, and who has an app since. */
async function withAppSince(server: TestServer, username = "ada") {
  const client = await addClient(server);
  const ada = await addPerson(server, { username });
  const browser = await signedIn(server, ada);
  server.clock.now += 60_000;
  const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
  return { client, ada, browser, code: () => appCode(secret, server.clock.now) };
}

const go = async (browser: TestBrowser, client: SignInClient, parameters: Readonly<Record<string, string>>) => {
  const { path, codeVerifier } = client.start(parameters);
  return { page: await browser.open(path), codeVerifier };
};

serversInTurn((start, test) => {
  test("acr names what was proven: one factor, two, or a passkey, and the value that was asked for", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const first = await visit(server, client);
    assert.equal((await said(client, await enter(first, ada), first.codeVerifier)).acr, one);
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    for (const [parameters, acr] of [
      [{}, two],
      [wish(multi), multi],
      [wish(phr), two],
      [wish(one), one],
      [wish(one, two), two],
      [insist(phr, multi), multi],
      [{ ...insist(two), ...wish(multi) }, two],
    ] as const) {
      const label = JSON.stringify(parameters);
      const { browser, page, codeVerifier } = await visit(server, client, parameters);
      const asked = await enter({ browser, page }, ada);
      server.clock.now += 60_000;
      const back = await browser.submit(asked, { code: appCode(secret, server.clock.now) });
      assert.equal((await said(client, back, codeVerifier)).acr, acr, label);
    }
    const bob = await addPerson(server, { username: "bob" });
    const device = createAuthenticator({ origin: "http://localhost" });
    await keysAt(server).register(bob.userId, device, "Passkey");
    const { browser, page, codeVerifier } = await visit(server, client);
    const credential = JSON.stringify(device.get((await ask(browser, page)).options));
    const back = await browser.submit(page, { credential }, { action: "/ui/login/key" });
    assert.equal((await said(client, back, codeVerifier)).acr, phr);
  });

  test("a session is stepped up by the missing factor alone, once, and the browser gets another secret", async (t) => {
    const server = await start(t);
    for (const [index, parameters] of [wish(two), insist(multi), { ...insist(two), max_age: "3600" }].entries()) {
      const label = JSON.stringify(parameters);
      const { client, browser, code } = await withAppSince(server, `ada${index}`);
      assert.equal((await saidOf(await back({}))).acr, one, "nothing is asked without a wish");
      const silent = await go(browser, client, { ...parameters, prompt: "none" });
      if ("claims" in parameters) assert.equal(errorOf(silent.page), "login_required", label);
      else assert.equal((await said(client, silent.page, silent.codeVerifier)).acr, one, label);
      const { page, codeVerifier } = await go(browser, client, parameters);
      assert.match(page.title, /^Enter the code from your app/, label);
      const thief = browser.copy();
      const wrong = await browser.submit(page, { code: "000000" });
      assert.match(wrong.title, /^Error: /);
      const done = await browser.submit(wrong, { code: code() });
      const { acr, amr, authTime } = await said(client, done, codeVerifier);
      assert.deepEqual([acr, amr], ["claims" in parameters && index === 1 ? multi : two, ["pwd", "otp", "mfa"]], label);
      assert.equal(authTime, Math.floor(server.clock.now / 1000));
      assert.equal((await saidOf(await back(parameters))).acr, acr, "asked once");
      assert.ok(!isBack((await go(thief, client, {})).page), "the secret from before is worth nothing");

      function saidOf({ page: shown, codeVerifier: verifier }: { page: ShownPage; codeVerifier: string }) {
        return said(client, shown, verifier);
      }

      async function back(asked: Readonly<Record<string, string>>): Promise<{ page: ShownPage; codeVerifier: string }> {
        return go(browser, client, asked);
      }
    }
  });

  test("an unreachable class is ignored if it is a preference and an error if it is a requirement", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "login", { secondFactors: ["otp_email"] });
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    server.clock.now += 60_000;
    const wished = await go(browser, client, wish(phr, two));
    assert.equal((await said(client, wished.page, wished.codeVerifier)).acr, one);
    const silent = await go(browser, client, { ...insist(two), prompt: "none" });
    assert.equal(errorOf(silent.page), "unmet_authentication_requirements");
    const { page } = await go(browser, client, insist(two));
    assert.match(page.title, /^Sign in/);
    const refused = await enter({ browser, page }, ada);
    assert.equal(errorOf(refused), "unmet_authentication_requirements", refused.address);
    assert.equal(new URL(refused.address).searchParams.get("state"), "s1");
    const id = new URL(page.address, "http://localhost").searchParams.get("authRequest");
    const again = await browser.open(`/oauth/v2/authorize/callback?id=${id}`);
    assert.ok(!isBack(again) && errorOf(again) === null, "answered once");
    const stranger = await addPerson(server, { username: "bob" });
    const met = await visit(server, client, insist(one, phr));
    assert.equal((await said(client, await enter(met, stranger), met.codeVerifier)).acr, one);
  });

  test("a requirement makes users without a second factor set one up, right after their password", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 0 });
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    server.clock.now += 3_600_000;
    const { page, codeVerifier } = await go(browser, client, insist(two));
    assert.match(page.title, /^Sign in/, "the old password is not enough to add a factor");
    const setUp = await enter({ browser, page }, ada);
    assert.match(setUp.address, /^\/ui\/login\/add-factor/);
    const app = await browser.submit(setUp, { kind: "totp" });
    const made = (/<code>([A-Z2-7 ]+)<\/code>/.exec(app.html)?.[1] ?? "").replaceAll(" ", "");
    const done = await goOn(browser, await browser.submit(app, { code: appCode(made, server.clock.now) }));
    assert.deepEqual(codesOn(done), []);
    assert.equal((await said(client, done, codeVerifier)).acr, two);
  });

  test("a code does not meet a requirement for a passkey, but satisfies a preference for one", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const device = createAuthenticator({ origin: "http://localhost" });
    await keysAt(server).register(ada.userId, device, "U2F");
    const code = () => {
      server.clock.now += 60_000;
      return appCode(secret, server.clock.now);
    };
    const wished = await visit(server, client, wish(phr));
    const key = await enter(wished, ada);
    assert.match(key.title, /key/i);
    const byCode = await wished.browser.open(`${key.address}&by=totp`);
    assert.equal(
      (await said(client, await wished.browser.submit(byCode, { code: code() }), wished.codeVerifier)).acr,
      two,
    );

    const { browser } = wished;
    server.clock.now += 60_000;
    const { page, codeVerifier } = await go(browser, client, insist(phr));
    assert.match(page.title, /key/i, page.address);
    const forms = page.forms.map(({ action, ...form }) => ({
      ...form,
      action: action.replace("/key", "/second-factor") + "&by=totp",
    }));
    const forced = await browser.submit({ ...page, forms }, { by: "totp", code: code() });
    assert.ok(!isBack(forced) && errorOf(forced) === null, forced.address);
    const again = await browser.open(page.address);
    const credential = JSON.stringify(device.get((await ask(browser, again)).options));
    const done = await browser.submit(again, { credential }, { action: "/ui/login/key" });
    assert.equal((await said(client, done, codeVerifier)).acr, phr);
  });

  test("a step-up ends with its session: the code then adds to nothing", async (t) => {
    const server = await start(t);
    for (const [index, end] of ["sign out", "deactivate"].entries()) {
      const { client, ada, browser, code } = await withAppSince(server, `ada${index}`);
      const { page } = await go(browser, client, insist(two));
      assert.match(page.title, /^Enter the code/);
      if (end === "sign out") {
        const accounts = await browser.open("/ui/login/accounts");
        await browser.submit(accounts, {}, { action: "/ui/login/accounts/remove" });
      } else {
        await callUser(server, "DeactivateUser", { userId: ada.userId });
      }
      const after = await browser.submit(page, { code: code() });
      assert.ok(!isBack(after), end);
      if (end === "deactivate") continue;
      assert.match(after.title, /^Enter your password/);
      const done = await browser.submit(after, { password: ada.password });
      assert.ok(isBack(done), done.address);
    }
  });

  test("a step-up begins where the account is chosen, in two tabs, and never sends a message by itself", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { secondFactors: [...allFactors] });
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const email = (await callUser(server, "GetUserByID", { userId: ada.userId })).user.human.email.email;
    const browser = await signedIn(server, ada);
    await signedIn(server, bob, browser);
    server.clock.now += 60_000;
    await callUser(server, "AddOTPEmail", { userId: ada.userId });
    const { page, codeVerifier } = await go(browser, client, { ...insist(two), prompt: "select_account" });
    const other = await go(browser, client, insist(two));
    const chosen = await browser.submit(page, { session_id: sessionOf(page, "ada") }, { action: "/ui/login/accounts" });
    assert.match(chosen.address, /^\/ui\/login\/methods/);
    const before = await inboxOf(server, email);
    assert.ok(
      before.every(({ kind }) => kind === "factor_added"),
      "no code is sent unasked",
    );
    const asked = await browser.submit(chosen, {}, { action: "/ui/login/second-factor/send" });
    const done = await browser.submit(asked, { code: await codeOf(server, email) });
    assert.equal((await said(client, done, codeVerifier)).acr, two);
    const tab = await browser.open(other.page.address);
    assert.match(tab.address, /^\/ui\/login\/continue/);
    const goesOn = await browser.submit(tab, {}, { action: "/ui/login/continue" });
    assert.equal((await said(client, goesOn, other.codeVerifier)).acr, two, "the other tab has nothing to prove");
  });
});

/** Returns the session of an account on the page of accounts. */
function sessionOf({ html }: ShownPage, name: string): string {
  const form = html.split("<form").find((part) => part.includes(name)) ?? "";
  return /name="session_id" value="([^"]*)"/.exec(form)?.[1] ?? "";
}
