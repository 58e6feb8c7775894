import assert from "node:assert/strict";
import { test } from "node:test";
import { keysAt } from "../../server/test/factor/key-support.ts";
import { callUser } from "../../server/test/factor/support.ts";
import { knowProvider } from "../../server/test/identity-provider/attempts.ts";
import { withDevice } from "../../server/test/oauth/device/support.ts";
import { startTestProvider } from "../../server/test/support/identity-provider/test-provider.ts";
import { addPerson } from "../../server/test/support/people/people.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import { createAuthenticator } from "../../server/test/support/sign-in/authenticator.ts";
import { answerOf, startLoginApp, visitorOf } from "../support/login-app.ts";

const optionsOf = (html: string) =>
  JSON.parse((/data-options="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&"));

test("the example login beyond passwords", async (t) => {
  const app = await startLoginApp(t);
  const { server } = app;

  await t.test("the example login takes keys and passkeys, and asks unknown names for them too", async () => {
    const ada = await addPerson(server, { username: "ada0" });
    const device = createAuthenticator({ origin: app.login });
    await keysAt(server).register(ada.userId, device, "U2F");
    server.clock.now += 60_000;
    const { browser, signIn } = visitorOf(app);
    const asked = await signIn(ada);
    assert.match(asked.html, /<h1>Security key or passkey<\/h1>/);
    const ceremony = await browser.submit(asked, {}, { action: "/key" });
    const nothing = await browser.submit(ceremony, { credential: "{}" }, { action: "/key/answer" });
    assert.match(nothing.alert ?? "", /not accepted/);
    const again = await browser.submit(nothing, {}, { action: "/key" });
    const credential = JSON.stringify(device.get({ publicKey: optionsOf(again.html) }));
    assert.equal(answerOf(await browser.submit(again, { credential }, { action: "/key/answer" })), "code");

    const eve = await addPerson(server, { username: "eve0" });
    const passkey = createAuthenticator({ origin: app.login });
    await keysAt(server).register(eve.userId, passkey, "Passkey");
    const look = async (loginName: string) => {
      const visitor = visitorOf(app);
      const named = await visitor.name(await visitor.start(), loginName);
      const page = await visitor.browser.submit(named, {}, { action: "/passkey" });
      const options = optionsOf(page.html);
      return { visitor, page, options };
    };
    const known = await look(eve.loginName);
    const proof = JSON.stringify(passkey.get({ publicKey: known.options }));
    const done = await known.visitor.browser.submit(known.page, { credential: proof }, { action: "/passkey/answer" });
    assert.equal(answerOf(done), "code", "a passkey that verified the person is a whole sign-in");
    const shapeOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shapeOf);
      return typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
        : typeof value;
    };
    const [none, nobody, twice] = [await look(ada.loginName), await look("nobody@x"), await look("nobody@x")];
    assert.deepEqual(
      [shapeOf(none.options), shapeOf(nobody.options)],
      [shapeOf(known.options), shapeOf(known.options)],
    );
    assert.deepEqual(twice.options.allowCredentials, nobody.options.allowCredentials, "and is asked the same again");
    assert.notEqual(twice.options.challenge, nobody.options.challenge);
  });

  await t.test(
    "a name alone gives access to nothing: no factors are shown or set up, and no code is sent",
    async () => {
      await changeSettings(server, "login", { secondFactors: ["totp", "u2f", "otp_email"] });
      const eve = await addPerson(server, { username: "eve1" });
      await keysAt(server).register(eve.userId, createAuthenticator({ origin: app.login }), "Passkey");
      await callUser(server, "AddOTPEmail", { userId: eve.userId });
      const { browser, start, name } = visitorOf(app);
      const named = await name(await start(), eve.loginName);
      // With this the browser holds a session in which eve is named.
      const page = await browser.submit(named, {}, { action: "/passkey" });
      const attempt = page.forms[0]?.values.find(([field]) => field === "attempt")?.[1] ?? "";
      const shown = await browser.open(`/second-factor?attempt=${attempt}`);
      assert.equal(shown.address, `/password?attempt=${attempt}`);
      const values = [...(page.forms[0]?.values ?? [])];
      const send = (action: string, fields: Readonly<Record<string, string>>) =>
        browser.submit({ ...page, forms: [{ action, values }] }, fields);
      await send("/second-factor/choose", { kind: "otpEmail" });
      const inbox = await server.rest("GET", "/ui/dev/inbox", { token: null, headers: { accept: "application/json" } });
      assert.ok(!JSON.stringify(inbox.body).includes("eve1@mail.example"), "nothing was sent");
      for (const path of ["/second-factor/set-up", "/key"]) {
        const answer = path === "/key" ? await send(path, {}) : await browser.open(`${path}?attempt=${attempt}`);
        assert.equal(answer.status, 400, path);
      }
      const change = await send("/password/change", { password: eve.password, newPassword: "a sentence of a thief" });
      assert.equal(change.status, 400);
    },
  );

  await t.test("the example login signs in with accounts at identity providers, where the sign-in began", async () => {
    const provider = await startTestProvider(t, () => server.clock.now);
    const [auto, closed] = [
      await knowProvider(server, provider, { options: { isAutoCreation: true } }),
      await knowProvider(server, provider, { options: { isCreationAllowed: false } }),
    ];
    await changeSettings(server, "login", { identityProviderIds: [auto, closed] });
    const { browser, start } = visitorOf(app);
    const through = async (id: string) => {
      const page = await start({ prompt: "login" });
      const offered = await browser.open(/\/providers\?attempt=[\w-]+/.exec(page.html)?.[0] ?? "");
      const wanted = offered.forms.find(({ values }) => values.some(([, value]) => value === id));
      assert.ok(wanted, offered.html);
      const away = await browser.submit({ ...offered, forms: [wanted] });
      const back = await fetch(provider.signIn(away.address), { redirect: "manual" });
      const told = new URL(back.headers.get("location") ?? "");
      assert.equal(told.origin, app.login);
      return told.pathname + told.search;
    };
    const unknown = await browser.open(await through(closed));
    assert.match(unknown.alert ?? "", /not linked to a user here/);
    const elsewhere = await visitorOf(app).browser.open(await through(auto));
    assert.equal(elsewhere.status, 400, "a link that somebody sends signs nobody in");
    assert.equal(answerOf(await browser.open(await through(auto))), "code", "an account was made");
    assert.equal(answerOf(await browser.open(await through(auto))), "code", "and is known");
  });

  await t.test("the example login approves devices after showing what they ask for", async () => {
    const devices = await withDevice(server);
    const ada = await addPerson(server, { username: "ada3" });
    const { browser, name, password } = visitorOf(app);
    const wrong = await browser.submit(await browser.open("/device"), { code: "BBBB-BBBB" });
    assert.match(wrong.alert ?? "", /no device with that code/);
    const wait = async () => {
      const waiting = await devices.wait("openid profile");
      return { waiting, page: await browser.submit(await browser.open("/device"), { code: waiting.user_code }) };
    };
    const first = await wait();
    const asks = await password(await name(first.page, ada.loginName), ada.password);
    assert.match(asks.html, /asks to act for you\. It asks for: openid profile/);
    assert.equal((await devices.poll(first.waiting.device_code)).body.error, "authorization_pending");
    assert.equal((await browser.submit(asks, {}, { action: "/device/allow" })).address, "/device/done");
    assert.equal((await devices.poll(first.waiting.device_code)).status, 200);
    const second = await wait();
    const chosen = await browser.submit(second.page, {}, { action: "/accounts" });
    assert.match(chosen.html, /asks to act for you/, "the browser knows somebody");
    assert.equal((await browser.submit(chosen, {}, { action: "/cancel" })).address, "/device/done");
    assert.equal((await devices.poll(second.waiting.device_code)).body.error, "access_denied");
  });
});
