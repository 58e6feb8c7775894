import assert from "node:assert/strict";
import { minutes, seconds } from "../../../src/base/clock.ts";
import { callUser, eventsOf, inboxOf } from "../../factor/support.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { addableFactors, codeOf, half } from "../support/second-factors.ts";
import { enter, isBack, visit } from "../support/sign-in.ts";

const emailOf = (username: string): string => `${username}@mail.example`;

/** Makes a user of whom a second factor is required, and who may choose one. */
async function chooser(server: TestServer, username: string) {
  const person = await addPerson(server, { username });
  const { userId } = person;
  const phone = `+4179${userId.slice(-7)}`;
  await callUser(server, "SetPhone", { userId, phone, isVerified: true });
  return { person, phone, email: emailOf(username), ...(await half(server, person)) };
}

const methodsOf = async (server: TestServer, { userId }: Person): Promise<string[]> =>
  (await callUser(server, "ListAuthenticationMethodTypes", { userId })).authMethodTypes;

/** Returns what is stored of a user and their factors, in whatever state: a choice alone must not change it. */
async function factsOf(server: TestServer, { userId }: Person): Promise<string> {
  const { result } = await callUser(server, "ListAuthenticationFactors", { userId, states: [1, 2, 3] });
  const { user } = await callUser(server, "GetUserByID", { userId });
  return JSON.stringify([result ?? [], user.details, await eventsOf(server, userId, "user.otp")]);
}

const isOn = async (server: TestServer, person: Person, kind: "EMAIL" | "SMS"): Promise<boolean> =>
  (await methodsOf(server, person)).includes(`AUTHENTICATION_METHOD_TYPE_OTP_${kind}`);

const again = { action: "/code/send" };
const offered = ({ forms }: ShownPage): string[] =>
  forms.flatMap(({ values }) => values.flatMap(([name, value]) => (name === "kind" ? [value] : [])));

/** Returns the text of a page where the code is typed. */
const sentTo = ({ html }: ShownPage): string | undefined => /sent to <strong><bdi>([^<]*)/.exec(html)?.[1];

async function resume(browser: TestBrowser, authRequestId: string): Promise<ShownPage> {
  return browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
}

serversInTurn((start, test, both) => {
  const demanding = async (t: Parameters<typeof start>[0]): Promise<TestServer> => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true, secondFactors: [...addableFactors] });
    return server;
  };

  test("codes that are sent are on with the first of them, which counts as the check", async (t) => {
    const server = await demanding(t);
    for (const [kind, name, hint] of [
      ["otp_email", "EMAIL", /^a…@mail\.example$/],
      ["otp_sms", "SMS", /^\+41…\d\d$/],
    ] as const) {
      const { person, phone, email, browser, page, authRequestId } = await chooser(server, `ada-${name.toLowerCase()}`);
      const before = await factsOf(server, person);
      const asked = await browser.submit(page, { kind });
      assert.match(asked.title, /^Check your/);
      assert.match(sentTo(asked) ?? "", hint, "as a hint: so far only the password was proven");
      assert.ok(!asked.html.includes(phone) && !asked.html.includes(email));
      assert.equal(await factsOf(server, person), before, "nothing has changed");
      assert.match((await browser.open(asked.address)).title, /^Check your/, "reloaded");
      const to = kind === "otp_email" ? email : phone;
      const code = await codeOf(server, to);
      const wrong = await browser.submit(asked, { code: code === "00000000" ? "00000001" : "00000000" });
      assert.match(wrong.alert ?? "", /incorrect/);
      assert.equal(await isOn(server, person, name), false);
      const typed = `${code.slice(0, 4)} ${code.slice(4)}`;
      const back = await browser.submit(wrong, { code: typed });
      assert.ok(isBack(back), `not asked twice: ${back.html}`);
      assert.equal((await inboxOf(server, to)).length, 1, "one message in all");
      assert.deepEqual(await eventsOf(server, person.userId, `user.${kind}`), [
        `user.${kind}.added`,
        `user.${kind}_check.failed`,
        `user.${kind}_check.succeeded`,
      ]);
      assert.ok(!isBack(await resume(browser.copy(), authRequestId)), "one answer");
      // Used up, here and in every other sign-in.
      server.clock.now += seconds(31);
      const next = await half(server, person);
      assert.match(next.page.title, /^Check your/, "from the next sign-in on it is asked for");
      assert.ok(!isBack(await next.browser.submit(next.page, { code }, { action: "/second-factor?" })));
      const fresh = await codeOf(server, to);
      assert.ok(isBack(await next.browser.submit(next.page, { code: fresh }, { action: "/second-factor?" })));
    }
  });

  test("an address that is no longer reachable locks no user out, and leaving changes nothing", async (t) => {
    const server = await demanding(t);
    const { person, browser, page } = await chooser(server, "lost");
    const before = await factsOf(server, person);
    const asked = await browser.submit(page, { kind: "otp_email" });
    // The user leaves, and returns on another day.
    server.clock.now += minutes(60 * 24);
    assert.equal(await factsOf(server, person), before);
    const anew = await half(server, person);
    assert.deepEqual(offered(anew.page), ["key", "totp", "otp_sms", "otp_email"]);
    const waiting = await anew.browser.submit(anew.page, { kind: "otp_email" });
    assert.match(waiting.title, /^Check your email/);
    const [, choice = ""] = /<a href="([^"]*add-factor[^"]*)">Choose another method/.exec(waiting.html) ?? [];
    const chosen = await anew.browser.open(choice.replaceAll("&amp;", "&"));
    assert.match(chosen.title, /^Protect your account/);
    const app = await anew.browser.submit(chosen, { kind: "totp" });
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(app.html)?.[1] ?? "").replaceAll(" ", "");
    assert.ok(isBack(await anew.browser.submit(app, { code: appCode(secret, server.clock.now) })));
    assert.equal(await isOn(server, person, "EMAIL"), false);
    assert.ok(
      !isBack(await browser.submit(asked, { code: await codeOf(server, emailOf("lost")) })),
      "not with this one",
    );
    assert.equal(await isOn(server, person, "EMAIL"), false, "nobody gets past the factor that he has by another");
  });

  test("a code ends after its time, after five wrong ones and with a newer one, which comes after 30 seconds", async (t) => {
    const server = await demanding(t);
    const { person, email, browser, page } = await chooser(server, "many");
    const count = async (): Promise<number> => (await inboxOf(server, email)).length;
    let asked = await browser.submit(page, { kind: "otp_email" });
    assert.match(asked.html, /data-wait="30"/);
    const first = await codeOf(server, email);
    for (let guess = 0; guess < 5; guess++) {
      const wrong = await browser.submit(asked, { code: `WRONG${guess}` });
      assert.match(wrong.alert ?? "", /incorrect/);
    }
    const late = await browser.submit(asked, { code: first });
    assert.match(late.alert ?? "", /no longer valid/, "too many tries");
    // Chosen again, from another tab and by the button: the sent message stays valid.
    await browser.copy().submit(page, { kind: "otp_email" });
    const early = await browser.submit(late, {}, again);
    assert.equal(await count(), 1);
    assert.equal(early.alert, undefined, "what was wrong before is not said of the next one");
    server.clock.now += seconds(30);
    asked = await browser.submit(early, {}, again);
    assert.equal(await count(), 2);
    const second = await codeOf(server, email);
    if (first !== second) assert.match((await browser.submit(asked, { code: first })).alert ?? "", /incorrect/);
    server.clock.now += minutes(5);
    const old = await browser.submit(asked, { code: second });
    assert.match(old.alert ?? "", /no longer valid/, "expired");
    assert.equal(await isOn(server, person, "EMAIL"), false);
    asked = await browser.submit(old, {}, again);
    assert.ok(isBack(await browser.submit(asked, { code: await codeOf(server, email) })));
  });

  test("what changes between sending and entering: the address, the number, what the settings allow", async (t) => {
    const server = await demanding(t);
    const { person, email, phone, browser, page } = await chooser(server, "moving");
    const { userId } = person;
    const mail = await browser.submit(page, { kind: "otp_email" });
    const former = await codeOf(server, email);
    await callUser(server, "SetEmail", { userId, email: "moved@mail.example", isVerified: true });
    const refused = await browser.submit(mail, { code: former });
    assert.match(refused.title, /^Error: Protect your account/, "the choice");
    assert.match(refused.alert ?? "", /no longer valid/);
    assert.equal((await browser.open(mail.address)).title, refused.title, "no page for a code that went elsewhere");
    await callUser(server, "SetEmail", { userId, email, isVerified: true });
    assert.ok(!isBack(await browser.submit(mail, { code: former })), "not when it is the old one again either");

    const text = await browser.submit(page, { kind: "otp_sms" });
    const number = await codeOf(server, phone);
    await callUser(server, "SetPhone", { userId, phone, sendCode: {} });
    await callUser(server, "SetPhone", { userId, phone: "+41791110000", sendCode: {} });
    assert.doesNotMatch(offered(await browser.submit(text, { code: number })).join(), /otp_sms/, "unproven");
    assert.equal(await isOn(server, person, "SMS"), false);

    const allowed = await browser.submit(page, { kind: "otp_email" });
    assert.match(allowed.title, /^Check your email/);
    await changeSettings(server, "login", { secondFactors: ["totp"] });
    const code = await codeOf(server, email);
    for (const shown of [
      await browser.submit(allowed, { code }),
      await browser.submit(allowed, {}, again),
      await browser.submit(page, { kind: "otp_email" }),
      await browser.open(allowed.address),
    ]) {
      assert.match(shown.title, /Protect your account/);
      assert.deepEqual(offered(shown), ["totp"]);
    }
    assert.equal(await isOn(server, person, "EMAIL"), false);
  });

  test("with two tabs the code is asked for once, and the other tab continues with what the first has set up", async (t) => {
    const server = await demanding(t);
    const { person, email, client, browser, page } = await chooser(server, "tabs");
    const asked = await browser.submit(page, { kind: "otp_email" });
    // Another application, in the same browser.
    const other = await enter(await visit(server, client, {}, browser), person);
    const waiting = await browser.submit(other, { kind: "otp_email" });
    assert.match(waiting.title, /^Check your email/);
    assert.equal((await inboxOf(server, email)).length, 1);
    const code = await codeOf(server, email);
    assert.ok(isBack(await browser.submit(waiting, { code })), "good in the other tab");
    // The first tab's form is older than the second sign-in: it leads to where this tab is now.
    const told = await browser.submit(asked, { code: "WRONG1" });
    assert.match(told.html, /set up in the meantime/);
    assert.ok(isBack(await browser.submit(told)), "nothing is asked for here any more");
    assert.equal((await eventsOf(server, person.userId, "user.otp_email.added")).length, 1);
    assert.equal((await inboxOf(server, email)).length, 1, "no other code");
  });

  test("where a factor is only offered, the code can be left for later, and counts for sessions when it was entered", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 60, secondFactors: ["otp_email"] });
    const { person, email, browser, page, client } = await chooser(server, "offered");
    const left = await browser.submit(page, { kind: "otp_email" });
    assert.match(left.title, /^Check your email/);
    assert.ok(isBack(await browser.submit(page, {}, { action: "/add-factor/skip" })));
    assert.equal(await isOn(server, person, "EMAIL"), false);
    assert.ok(!isBack(await browser.submit(left, { code: await codeOf(server, email) })), "the way has ended");
    assert.equal(await isOn(server, person, "EMAIL"), false);
    server.clock.now += seconds(61);
    const next = await visit(server, client, { prompt: "login" }, browser);
    const asked = await browser.submit(await enter(next, person), { kind: "otp_email" });
    const back = await browser.submit(asked, { code: await codeOf(server, email) });
    assert.ok(isBack(back), back.html);
    const { body } = await client.exchange(back.address, next.codeVerifier);
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    assert.deepEqual(claims.amr, ["pwd", "otp", "mfa"]);
  });

  both("a user who got a factor meanwhile is asked for that one, and another user's code is invalid", async (t) => {
    const server = await demanding(t);
    const ada = await chooser(server, "given");
    const asked = await ada.browser.submit(ada.page, { kind: "otp_email" });
    server.clock.now += 1000;
    await callUser(server, "AddOTPSMS", { userId: ada.person.userId });
    const next = await ada.browser.submit(asked, { code: await codeOf(server, ada.email) });
    assert.match(next.title, /^Check your phone/, next.html);
    assert.equal(await isOn(server, ada.person, "EMAIL"), false);

    const eve = await chooser(server, "eve");
    const hers = await eve.browser.submit(eve.page, { kind: "otp_email" });
    const bob = await chooser(server, "bob");
    await bob.browser.submit(bob.page, { kind: "otp_email" });
    const foreign = await codeOf(server, bob.email);
    if (foreign !== (await codeOf(server, eve.email))) {
      assert.match((await eve.browser.submit(hers, { code: foreign })).alert ?? "", /incorrect/);
    }
    assert.equal(await isOn(server, eve.person, "EMAIL"), false);
  });
});
