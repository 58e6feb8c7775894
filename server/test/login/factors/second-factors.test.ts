import assert from "node:assert/strict";
import { keysAt } from "../../factor/key-support.ts";
import { addApp, callUser } from "../../factor/support.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { allFactors, ask, codeOf, half } from "../support/second-factors.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";

/** Returns what the page tells the browser of passkeys. */
function signalsOf({ html }: ShownPage): unknown {
  const [, text] = /data-passkey-signals="([^"]*)"/.exec(html) ?? [];
  return text && JSON.parse(text.replaceAll("&quot;", '"'));
}

/** Returns the proof that a form belongs to this browser. */
const tokenOf = ({ forms }: ShownPage) => forms[0]?.values.filter(([name]) => name === "csrf_token") ?? [];

serversInTurn((start, test, both) => {
  test("a user with an authenticator app is asked for its code, and the tokens say so", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const { browser, page, client, codeVerifier, authRequestId } = await half(server, ada);
    assert.match(page.title, /^Enter the code from your app/);
    assert.match(page.html, /autocomplete="one-time-code"/);
    const early = await browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
    assert.match(early.title, /^Enter the code from your app|^Sign in/, "half a proof gives no code");
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

  test("a new sign-in that an application requests cannot reuse factors that were proven before", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const { browser, page } = await half(server, ada);
    await browser.submit(page, { code: appCode(secret, server.clock.now) });
    for (const parameters of [{ prompt: "login" }, { max_age: "30" }, { prompt: "login consent", max_age: "30" }]) {
      const label = JSON.stringify(parameters);
      server.clock.now += 60_000;
      const waiting = await visit(server, client, parameters, browser);
      // In another tab the password is enough, because the code was checked not long ago.
      const tab = await browser.open("/ui/login?account=other");
      await browser.submit(tab, { login_name: ada.loginName }, { action: "/ui/login" });
      const [action, id] = ["/ui/login/password", waiting.authRequestId];
      const done = await browser.submit(
        { ...tab, forms: [{ action, values: tokenOf(tab) }] },
        { password: ada.password },
      );
      assert.equal(done.address, "/ui/login/signed-in", label);
      const offered = await browser.open(`/ui/login/continue?authRequest=${id}`);
      assert.match(offered.address, /^\/ui\/login\?/, label);
      const sessionId = /name="session_id" value="(\d+)"/.exec((await browser.open("/ui/login/accounts")).html)?.[1];
      const values = tokenOf(await browser.open(`/ui/login?authRequest=${id}&account=other`));
      const send = (to: string, fields: Record<string, string>) =>
        browser.submit({ ...tab, forms: [{ action: to, values }] }, fields);
      await send(`/ui/login/continue?authRequest=${id}&session=${sessionId}`, {});
      const chosen = await send(`/ui/login/accounts?authRequest=${id}`, { session_id: sessionId ?? "" });
      assert.match(chosen.title, /^Enter your password/, label);
      assert.ok(!isBack(await browser.open(`/oauth/v2/authorize/callback?id=${id}`)), label);
      const silent = client.start({ max_age: "30", prompt: "none" });
      assert.match((await browser.open(silent.path)).address, /error=login_required/, label);
      const again = await enter({ browser, page: await browser.open(`${waiting.page.address}&account=other`) }, ada);
      assert.match(again.title, /^Enter the code/, label);
      assert.ok(isBack(await browser.submit(again, { code: appCode(secret, server.clock.now) })), label);
    }
  });

  test("an attacker with the password and the browser's old secret gets no further than the second factor", async (t) => {
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
    // The answer was not fetched yet. A thief with only the password cannot fetch it.
    await thief.submit(asked, { password: ada.password }, { action: "/ui/login/password" });
    const resumed = await thief.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
    assert.ok(!isBack(resumed), resumed.address);
    assert.match((await thief.open("/ui/account")).address, /^\/ui\/login/);
    assert.match((await thief.open("/ui/login/signed-in")).address, /^\/ui\/login$|^\/ui\/login\?/);
  });

  both("codes by mail and SMS are sent once, and again when it is asked for", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { secondFactors: [...allFactors] });
    const ada = await addPerson(server, { username: "ada" });
    await callUser(server, "AddOTPEmail", { userId: ada.userId });
    const { browser, page } = await half(server, ada);
    assert.match(page.title, /^Check your email/);
    const { email } = (await callUser(server, "GetUserByID", { userId: ada.userId }))["user"].human;
    const sent = await codeOf(server, email.email);
    assert.ok(sent);
    await browser.submit(page, {}, { action: "/ui/login/second-factor/send" });
    assert.equal(await codeOf(server, email.email), sent, "not twice at once");
    assert.match(page.html, /We sent a code[^<]*<strong><bdi>a…@mail\.example<\/bdi>/, "its owner knows it again");
    assert.match(page.html, /data-wait="(?:30|29)"/);
    server.clock.now += 31_000;
    const renewed = await browser.submit(page, {}, { action: "/ui/login/second-factor/send" });
    const newer = await codeOf(server, email.email);
    assert.notEqual(newer, sent);
    const old = await browser.submit(renewed, { code: sent }, { action: "/ui/login/second-factor" });
    assert.match(old.title, /^Error: Check your email/);
    const back = await browser.submit(old, { code: newer.toLowerCase() }, { action: "/ui/login/second-factor" });
    assert.ok(isBack(back), back.html);
  });

  test("another method can be chosen, but none that the settings do not allow", async (t) => {
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
    assert.match(none.title, /You cannot continue here/);
    await changeSettings(server, "login", { secondFactors: ["recovery_codes"] });
    const back = await browser.submit(typed, { code: recoveryCodes[0].toLowerCase() });
    assert.ok(isBack(back), back.html);
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

  test("a passkey signs in alone: no name is asked for, and what it says of its user must be true", async (t) => {
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

  test("tokens say what was proven for the request, and nothing from before", async (t) => {
    const server = await start(t);
    const keys = keysAt(server);
    const ada = await addPerson(server, { username: "ada" });
    const device = createAuthenticator({ origin: "http://localhost" });
    await keys.register(ada.userId, device, "Passkey");
    const client = await addClient(server);
    const { browser, page } = await visit(server, client);
    const { options } = await ask(browser, page);
    const credential = JSON.stringify(device.get(options));
    assert.ok(isBack(await browser.submit(page, { credential }, { action: "/ui/login/key" })));
    const claimsOf = async (address: string, codeVerifier: string) => {
      const { body } = await client.exchange(address, codeVerifier);
      return JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    };
    for (const [parameters, expected] of [
      [{ prompt: "login" }, ["pwd"]],
      [{ max_age: "30" }, ["pwd"]],
      [{ max_age: "3600" }, ["pwd", "user", "mfa"]],
      [{}, ["pwd", "user", "mfa"]],
    ] as const) {
      const label = JSON.stringify(parameters);
      server.clock.now += 60_000;
      const { path, codeVerifier } = client.start(parameters);
      const waiting = await browser.open(path);
      if (!isBack(waiting)) {
        const tab = await browser.open("/ui/login?account=other");
        await browser.submit(tab, { login_name: ada.loginName }, { action: "/ui/login" });
        const form = { action: "/ui/login/password", values: tokenOf(tab) };
        await browser.submit({ ...tab, forms: [form] }, { password: ada.password });
      }
      const id = new URL(waiting.address, server.origin).searchParams.get("authRequest");
      const shown = isBack(waiting) ? waiting : await browser.open(`/ui/login/continue?authRequest=${id}`);
      const end = isBack(shown) ? shown : await browser.submit(shown, {}, { action: "/ui/login/continue" });
      assert.ok(isBack(end), `${label} ${end.address} ${end.html}`);
      assert.deepEqual((await claimsOf(end.address, codeVerifier)).amr, expected, label);
    }
  });

  test("a passkey of another user than named, of no user, or not allowed does not sign in", async (t) => {
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
      assert.match(answer.html, /belongs to a different account/, loginName);
    }
    const stranger = await visit(server, client);
    const asked = await ask(stranger.browser, stranger.page);
    const foreign = JSON.stringify(device.get(asked.options, { id: "bm9ib2R5LWtub3dzLXRoaXM" }));
    const refused = await stranger.browser.submit(stranger.page, { credential: foreign }, { action: "/ui/login/key" });
    assert.match(refused.html, /is unknown/);
    // The browser is told which passkey, so that it need not offer it again; of a passkey in use it is told nothing.
    const told = { signalUnknownCredential: { rpId: "localhost", credentialId: "bm9ib2R5LWtub3dzLXRoaXM" } };
    assert.deepEqual(signalsOf(refused), told);
    const forged = await visit(server, client);
    const { options: known } = await ask(forged.browser, forged.page);
    const { response, ...rest } = device.get(known) as { response: Record<string, string> };
    const spoiled = JSON.stringify({ ...rest, response: { ...response, signature: "AAAA" } });
    const unmoved = await forged.browser.submit(forged.page, { credential: spoiled }, { action: "/ui/login/key" });
    assert.match(unmoved.html, /is unknown/);
    assert.equal(signalsOf(unmoved), undefined);
    await changeSettings(server, "login", { allowPasskeys: false });
    const { browser, page } = await visit(server, client);
    assert.doesNotMatch(page.html, /data-passkey-request/);
    const { options } = await ask(stranger.browser, refused);
    const credential = JSON.stringify(device.get(options));
    const kept = await stranger.browser.submit(refused, { credential }, { action: "/ui/login/key" });
    assert.match(kept.html, /does not allow passkeys/);
    assert.ok(browser);
  });

  test("a security key is a second factor, with only the keys of the user asked for", async (t) => {
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
