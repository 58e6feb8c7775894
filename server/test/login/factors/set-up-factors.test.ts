import assert from "node:assert/strict";
import { callUser } from "../../factor/support.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { addableFactors, ask, codeOf, goOn, half } from "../support/second-factors.ts";
import { isBack } from "../support/sign-in.ts";

serversInTurn((start, test) => {
  test("a required second factor is set up on the way in, and one that exists cannot be passed by another", async (t) => {
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
    const back = await goOn(browser, await browser.submit(wrong, { code: appCode(secret, server.clock.now) }));
    assert.ok(isBack(back), back.html);
    // A thief with only the password cannot add a second factor.
    const thief = await half(server, ada);
    assert.match(thief.page.title, /^Enter the code/);
    const added = await thief.browser.submit(
      { ...thief.page, forms: thief.page.forms.slice(0, 1) },
      { kind: "totp" },
      {},
    );
    assert.ok(!isBack(added));
  });

  test("each second factor set up during sign-in has to be shown to work before the user is signed in", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true, secondFactors: [...addableFactors] });
    const methodsOf = async (userId: string): Promise<string[]> =>
      (await callUser(server, "ListAuthenticationMethodTypes", { userId })).authMethodTypes;
    const begin = async (username: string) => {
      const person = await addPerson(server, { username });
      const phone = `+4179${person.userId.slice(-7)}`;
      await callUser(server, "SetPhone", { userId: person.userId, phone, isVerified: true });
      const { browser, page, authRequestId } = await half(server, person);
      const choices = page.forms.flatMap(({ values }) => values.filter(([name]) => name === "kind"));
      assert.deepEqual(
        choices.map(([, kind]) => kind),
        ["key", "totp", "otp_sms", "otp_email"],
      );
      const resume = () => browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
      return { person, phone, browser, page, resume };
    };
    const password = "AUTHENTICATION_METHOD_TYPE_PASSWORD";

    const { browser, page, person, resume } = await begin("key");
    const startKey = async (from: ShownPage) => {
      const shown = await browser.submit(from, { kind: "key" });
      assert.match(shown.title, /^Set up your security key|security key/, shown.html);
      const [, text = ""] = /data-passkey-options="([^"]*)"/.exec(shown.html) ?? [];
      return { shown, options: JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&")) };
    };
    const first = await startKey(page);
    const foreign = createAuthenticator({ origin: "https://evil.example" }).create(first.options);
    for (const credential of ["", "{}", JSON.stringify(foreign)]) {
      const refused = await browser.submit(first.shown, { credential });
      assert.match(refused.title, /Protect your account/, credential);
      assert.deepEqual(await methodsOf(person.userId), [password]);
      assert.ok(!isBack(await resume()), "not before it was seen to work");
    }
    const device = createAuthenticator({ origin: "http://localhost" });
    const second = await startKey(await browser.open(page.address));
    const done = await browser.submit(second.shown, { credential: JSON.stringify(device.create(second.options)) });
    assert.ok(isBack(done), done.html);
    assert.deepEqual(await methodsOf(person.userId), [password, "AUTHENTICATION_METHOD_TYPE_U2F"]);
    server.clock.now += 1000;
    const again = await half(server, person);
    assert.match(again.page.title, /^Use your security key/);
    const { options } = await ask(again.browser, again.page);
    const credential = JSON.stringify(device.get(options));
    assert.ok(isBack(await again.browser.submit(again.page, { credential }, { action: "/ui/login/key" })));

    for (const [kind, to] of [
      ["otp_email", (at: { person: Person }) => `${at.person.loginName.split("@")[0]}@mail.example`],
      ["otp_sms", (at: { phone: string }) => at.phone],
    ] as const) {
      const at = await begin(kind.replace("_", "-"));
      const asked = await at.browser.submit(at.page, { kind });
      assert.match(asked.title, /^Check your/, kind);
      const code = await codeOf(server, to(at));
      assert.match(code, /^[0-9A-Z]{6,8}$/, kind);
      const wrong = await at.browser.submit(asked, { code: "WRONG1" });
      assert.match(wrong.title, /^Error: Check your/, kind);
      assert.ok(!isBack(await at.resume()), `${kind}: not before it was seen to work`);
      assert.deepEqual(await methodsOf(at.person.userId), [password], kind);
      const back = await at.browser.submit(wrong, { code });
      assert.ok(isBack(back), `${kind}: ${back.html}`);
      assert.deepEqual(await methodsOf(at.person.userId), [
        password,
        `AUTHENTICATION_METHOD_TYPE_${kind.toUpperCase()}`,
      ]);
    }
  });
});
