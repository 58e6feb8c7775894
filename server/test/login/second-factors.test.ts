import assert from "node:assert/strict";
import { test } from "node:test";
import { keysAt } from "../factor/key-support.ts";
import { addApp, callUser, inboxOf } from "../factor/support.ts";
import { createAuthenticator } from "../support/authenticator.ts";
import { changeSettings } from "../support/change-settings.ts";
import { eachServer } from "../support/each-server.ts";
import { addPerson, type Person } from "../support/people.ts";
import type { TestServer } from "../support/server.ts";
import { addClient } from "../support/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/test-browser.ts";
import { appCode } from "../support/totp.ts";
import { enter, isBack, signedIn, visit } from "./support/sign-in.ts";

const allFactors = ["totp", "u2f", "otp_email", "otp_sms", "recovery_codes"] as const;

/** Enters name and password at an application; what comes next is asked for. */
async function half(server: TestServer, person: Person, parameters = {}, browser = new TestBrowser(server)) {
  const client = await addClient(server);
  const visitor = await visit(server, client, parameters, browser);
  return { client, ...visitor, page: await enter(visitor, person) };
}

const codeOf = async (server: TestServer, recipient: string): Promise<string> => {
  const [newest] = await inboxOf(server, recipient);
  return /\b([0-9A-Z]{6,8})\b/.exec(newest.text)?.[1] ?? "";
};

/** What a page asks a key for, and the form that the script would fill in. */
async function ask(browser: TestBrowser, page: ShownPage) {
  const [, address = ""] = /data-passkey-request="([^"]*)"/.exec(page.html) ?? [];
  const token = page.forms[0]?.values.find(([name]) => name === "csrf_token")?.[1] ?? "";
  const answer = await browser.send(address.replaceAll("&amp;", "&"), {
    method: "POST",
    body: new URLSearchParams({ csrf_token: token }),
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
  });
  return { status: answer.status, options: (await answer.json()) as { publicKey: Record<string, unknown> } };
}

eachServer((start) => {
  test("who has an authenticator app is asked for its code, and the tokens say so", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const { browser, page, client, codeVerifier, authRequestId } = await half(server, ada);
    assert.match(page.title, /^Enter the code of your app/);
    assert.match(page.html, /autocomplete="one-time-code"/);
    const early = await browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
    assert.match(early.title, /^Enter the code of your app|^Sign in/, "half a proof gives no code");
    const wrong = await browser.submit(page, { code: "000000" });
    assert.match(wrong.title, /^Error: /);
    assert.match(wrong.html, /role="alert"/);
    const code = appCode(secret, server.clock.now);
    const back = await browser.submit(wrong, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    assert.ok(isBack(back), back.html);
    const { body } = await client.exchange(back.address, codeVerifier);
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    assert.deepEqual(claims.amr, ["pwd", "otp", "mfa"]);
  });

  test("a second factor that a session of the browser has seen is not asked for again, unless everything is", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const first = await half(server, ada);
    await first.browser.submit(first.page, { code: appCode(secret, server.clock.now) });
    server.clock.now += 60_000;
    const again = await half(server, ada, { prompt: "login" }, first.browser);
    assert.match(again.page.title, /^Enter the code/, "a new sign-in is all of it");
    assert.ok(isBack(await again.browser.submit(again.page, { code: appCode(secret, server.clock.now) })));
    server.clock.now += 11 * 86_400_000;
    const later = await half(server, ada, {}, first.browser);
    assert.match(later.page.title, /^Enter the code/, "its time is over as well");
  });

  test("who knows the password and the browser's old secret gets no further than the second factor", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const browser = await signedIn(server, bob);
    server.clock.now += 1000;
    const { page, authRequestId } = await visit(server, client, { prompt: "login" }, browser);
    const asked = await browser.submit(page, { login_name: ada.loginName }, { action: "/ui/login" });
    const thief = browser.copy();
    const half = await browser.submit(asked, { password: ada.password }, { action: "/ui/login/password" });
    const back = await browser.send(half.forms[0]?.action ?? "", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams([...(half.forms[0]?.values ?? []), ["code", appCode(secret, server.clock.now)]] as [
        string,
        string,
      ][]),
    });
    assert.equal(back.status, 303);
    // The answer was not fetched yet. With the password alone nobody fetches it in her place.
    await thief.submit(asked, { password: ada.password }, { action: "/ui/login/password" });
    const resumed = await thief.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
    assert.ok(!isBack(resumed), resumed.address);
    assert.match((await thief.open("/ui/account")).address, /^\/ui\/login/);
    assert.match((await thief.open("/ui/login/signed-in")).address, /^\/ui\/login$|^\/ui\/login\?/);
  });

  test("codes by mail and SMS are sent once, and again when it is asked for", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { secondFactors: [...allFactors] });
    const ada = await addPerson(server, { username: "ada" });
    await callUser(server, "AddOTPEmail", { userId: ada.userId });
    const { browser, page } = await half(server, ada);
    assert.match(page.title, /^Check your e-mail/);
    const { email } = (await callUser(server, "GetUserByID", { userId: ada.userId }))["user"].human;
    const sent = await codeOf(server, email.email);
    assert.ok(sent);
    await browser.submit(page, {}, { action: "/ui/login/second-factor/send" });
    assert.equal(await codeOf(server, email.email), sent, "not twice at once");
    server.clock.now += 31_000;
    const renewed = await browser.submit(page, {}, { action: "/ui/login/second-factor/send" });
    const newer = await codeOf(server, email.email);
    assert.notEqual(newer, sent);
    const old = await browser.submit(renewed, { code: sent }, { action: "/ui/login/second-factor" });
    assert.match(old.title, /^Error: Check your e-mail/);
    const back = await browser.submit(old, { code: newer.toLowerCase() }, { action: "/ui/login/second-factor" });
    assert.ok(isBack(back), back.html);
  });

  test("another way can be chosen, and what the settings do not allow is none", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { secondFactors: [...allFactors] });
    const ada = await addPerson(server, { username: "ada" });
    await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId: ada.userId, count: 3 });
    const { browser, page, authRequestId } = await half(server, ada);
    const methods = await browser.open(`/ui/login/methods?authRequest=${authRequestId}`);
    assert.match(methods.html, /Recovery code/);
    assert.doesNotMatch(methods.html, /Security key/);
    const typed = await browser.open(`/ui/login/second-factor?authRequest=${authRequestId}&by=recovery_codes`);
    assert.match(typed.title, /^Enter a recovery code/);
    await changeSettings(server, "login", { secondFactors: ["totp"] });
    const refused = await browser.submit(typed, { code: recoveryCodes[0] });
    assert.ok(!isBack(refused), "not allowed any more");
    await changeSettings(server, "login", { secondFactors: [] });
    const none = await browser.open(page.address);
    assert.match(none.title, /There is no way to go on/);
    await changeSettings(server, "login", { secondFactors: ["recovery_codes"] });
    const back = await browser.submit(typed, { code: recoveryCodes[0].toLowerCase() });
    assert.ok(isBack(back), back.html);
  });

  test("a demanded second factor is set up on the way in, and one that exists cannot be passed by another", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true });
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page } = await half(server, ada);
    assert.match(page.title, /^Protect your account/);
    assert.doesNotMatch(page.html, /Not now/);
    const shown = await browser.submit(page, { kind: "totp" });
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(shown.html)?.[1] ?? "").replaceAll(" ", "");
    const wrong = await browser.submit(shown, { code: "000000" });
    assert.match(wrong.title, /^Error: Set up your authenticator app/);
    assert.ok(wrong.html.includes(shown.html.match(/<code>[^<]*<\/code>/)?.[0] ?? "nothing"), "the same secret");
    const back = await browser.submit(wrong, { code: appCode(secret, server.clock.now) });
    assert.ok(isBack(back), back.html);
    // With the password alone somebody else cannot add a second one.
    const thief = await half(server, ada);
    assert.match(thief.page.title, /^Enter the code/);
    const added = await thief.browser.submit(
      { ...thief.page, forms: thief.page.forms.slice(0, 1) },
      { kind: "totp" },
      {},
    );
    assert.ok(!isBack(added));
  });

  test("an offer can be put off for as long as the settings say", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page } = await half(server, ada);
    assert.match(page.title, /^Protect your account/);
    assert.ok(isBack(await browser.submit(page, {}, { action: "/ui/login/add-factor/skip" })));
    assert.ok(isBack((await half(server, ada)).page), "not again so soon");
    server.clock.now += 3_600_000;
    assert.match((await half(server, ada)).page.title, /^Protect your account/);
  });

  test("a passkey signs in alone: nobody is named, and what it says of its user must be true", async (t) => {
    const server = await start(t);
    const keys = keysAt(server);
    const ada = await addPerson(server, { username: "ada" });
    const device = createAuthenticator({ origin: "http://localhost" });
    await keys.register(ada.userId, device, "Passkey");
    const client = await addClient(server);
    const { browser, page, codeVerifier } = await visit(server, client);
    const { options } = await ask(browser, page);
    assert.deepEqual(options.publicKey["allowCredentials"], []);
    assert.equal(options.publicKey["userVerification"], "required");
    const credential = JSON.stringify(device.get(options));
    const back = await browser.submit(page, { credential }, { action: "/ui/login/key" });
    assert.ok(isBack(back), back.html);
    const { body } = await client.exchange(back.address, codeVerifier);
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    assert.deepEqual(claims.amr, ["user", "mfa"]);
    const other = await visit(server, client);
    const replayed = await other.browser.submit(other.page, { credential }, { action: "/ui/login/key" });
    assert.match(replayed.title, /^Error: Sign in with a passkey/);
  });

  test("a passkey of somebody else than was named, of nobody, or not allowed does not sign in", async (t) => {
    const server = await start(t);
    const keys = keysAt(server);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const device = createAuthenticator({ origin: "http://localhost" });
    await keys.register(ada.userId, device, "Passkey");
    const client = await addClient(server);
    for (const loginName of [bob.loginName, "nobody"]) {
      const { browser, page } = await visit(server, client);
      const named = await browser.submit(page, { login_name: loginName });
      const { options } = await ask(browser, named);
      const credential = JSON.stringify(device.get(options));
      const answer = await browser.submit(named, { credential }, { action: "/ui/login/key" });
      assert.match(answer.html, /belongs to another account/, loginName);
    }
    const stranger = await visit(server, client);
    const asked = await ask(stranger.browser, stranger.page);
    const foreign = JSON.stringify(device.get(asked.options, { id: "bm9ib2R5LWtub3dzLXRoaXM" }));
    const refused = await stranger.browser.submit(stranger.page, { credential: foreign }, { action: "/ui/login/key" });
    assert.match(refused.html, /is not known here/);
    await changeSettings(server, "login", { allowPasskeys: false });
    const { browser, page } = await visit(server, client);
    assert.doesNotMatch(page.html, /data-passkey-request/);
    const { options } = await ask(stranger.browser, refused);
    const credential = JSON.stringify(device.get(options));
    const kept = await stranger.browser.submit(refused, { credential }, { action: "/ui/login/key" });
    assert.match(kept.html, /does not allow passkeys/);
    assert.ok(browser);
  });

  test("a security key is a second factor, with only the keys of the person asked for", async (t) => {
    const server = await start(t);
    const keys = keysAt(server);
    const ada = await addPerson(server, { username: "ada" });
    const device = createAuthenticator({ origin: "http://localhost" });
    await keys.register(ada.userId, device, "U2F");
    server.clock.now += 1000;
    const { browser, page } = await half(server, ada);
    assert.match(page.title, /^Use your security key/);
    const { options } = await ask(browser, page);
    assert.equal((options.publicKey["allowCredentials"] as unknown[]).length, 1);
    const without = await browser.submit(page, {}, { action: "/ui/login/key" });
    assert.match(without.title, /^Use your security key/, "without the script nothing is lost");
    const credential = JSON.stringify(device.get(options));
    const back = await browser.submit(page, { credential }, { action: "/ui/login/key" });
    assert.ok(isBack(back), back.html);
  });
});
