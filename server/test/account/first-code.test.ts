import assert from "node:assert/strict";
import { minutes, seconds } from "../../src/base/clock.ts";
import { callUser, eventsOf, inboxOf } from "../factor/support.ts";
import { codeOf } from "../login/support/second-factors.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { newsOf, ownerOf } from "./support/account.ts";

const phone = "+41791234567";
const pageOf = (kind: string): string => `/ui/account/methods/add?kind=${kind}`;
const again = { action: "/code/send" };
const isMethods = ({ address }: ShownPage): boolean => address.startsWith("/ui/account/methods?");

/** Makes a user at their account page, with an address and a number that were confirmed some day. */
async function makeOwner(server: TestServer, username: string) {
  const person = await addPerson(server, { username });
  const { userId } = person;
  await callUser(server, "SetPhone", { userId, phone, isVerified: true });
  const methods = async (): Promise<string[]> =>
    (await callUser(server, "ListAuthenticationMethodTypes", { userId })).authMethodTypes.slice(1);
  return { userId, email: `${username}@mail.example`, methods, ...(await ownerOf(server, person)) };
}

serversInTurn((start, test, both) => {
  const open = async (t: Parameters<typeof start>[0]): Promise<TestServer> => {
    const server = await start(t);
    await changeSettings(server, "login", { secondFactors: ["totp", "otp_email", "otp_sms"] });
    return server;
  };

  both("codes by email and SMS are enabled once the first one has been entered", async (t) => {
    const server = await open(t);
    const { userId, email, methods, browser, send, open: look } = await makeOwner(server, "ada");
    for (const [kind, to] of [
      ["otp_email", email],
      ["otp_sms", phone],
    ] as const) {
      const before = await methods();
      const question = await look(pageOf(kind));
      assert.ok(question.html.includes(to), "where the code will go");
      assert.equal((await inboxOf(server, to)).length, 0, "looking sends nothing");
      const asked = await browser.submit(question);
      assert.match(asked.address, /\/methods\/add\/code\?/);
      assert.ok(asked.html.includes(to));
      assert.match(asked.html, /data-wait="30"/);
      assert.match((await look(`/ui/account/methods/add/code?kind=${kind}`)).title, /^Turn on/, "reloaded");
      assert.deepEqual(await methods(), before);
      assert.deepEqual(await eventsOf(server, userId, `user.${kind}`), []);
      const code = await codeOf(server, to);
      const wrong = await browser.submit(asked, { code: code === "00000000" ? "00000001" : "00000000" });
      assert.match(wrong.alert ?? "", /incorrect/);
      // The button is pressed twice, and once more on the page that "back" shows.
      const answers = await Promise.all([browser, browser.copy()].map((tab) => tab.submit(wrong, { code })));
      answers.push(await browser.submit(wrong, { code }));
      assert.ok(answers.every(isMethods), answers.map(({ address }) => address).join());
      assert.ok(answers.some((answer) => /added/.test(newsOf(answer) ?? "")));
      assert.deepEqual(await eventsOf(server, userId, `user.${kind}`), [
        `user.${kind}.added`,
        `user.${kind}_check.failed`,
        `user.${kind}_check.succeeded`,
      ]);
      for (const path of [pageOf(kind), `/ui/account/methods/add/code?kind=${kind}`]) {
        assert.ok(isMethods(await look(path)), "it is on");
      }
      await callUser(server, kind === "otp_email" ? "RemoveOTPEmail" : "RemoveOTPSMS", { userId });
      assert.match((await browser.submit(wrong, { code })).alert ?? "", /no longer valid/, "a code works once");
      // A new code is requested at once: the earlier one was used.
      await send(pageOf(kind));
      assert.equal(
        (await inboxOf(server, to)).filter(({ kind: sent }) => sent === kind).length,
        2,
        "besides what tells of it",
      );
    }
  });

  both("a code ends after its time and five wrong ones; another one comes after 30 seconds", async (t) => {
    const server = await open(t);
    const { email, methods, browser, send } = await makeOwner(server, "many");
    const count = async (): Promise<number> => (await inboxOf(server, email)).length;
    const asked = await send(pageOf("otp_email"));
    const first = await codeOf(server, email);
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, guess) => browser.copy().submit(asked, { code: `WRONG${guess}` })),
    );
    const evaluated = guesses.filter(({ alert }) => /incorrect/.test(alert ?? ""));
    assert.equal(evaluated.length, 5, "one count for all tabs");
    assert.match((await browser.submit(asked, { code: first })).alert ?? "", /no longer valid/);
    assert.match(newsOf(await browser.submit(asked, {}, again)) ?? "", /code/i);
    await send(pageOf("otp_email"));
    assert.equal(await count(), 1, "the message that went out stays");
    server.clock.now += seconds(30);
    await browser.submit(asked, {}, again);
    assert.equal(await count(), 2);
    const second = await codeOf(server, email);
    server.clock.now += minutes(5);
    assert.match((await browser.submit(asked, { code: second })).alert ?? "", /no longer valid/, "expired");
    await browser.submit(asked, {}, again);
    assert.deepEqual(await methods(), []);
    assert.match(newsOf(await browser.submit(asked, { code: await codeOf(server, email) })) ?? "", /added/);
  });

  both(
    "a code no longer works when the address, the settings, the factor or the session changes before it is entered",
    async (t) => {
      const server = await open(t);
      const { userId, email, methods, browser, send, open: look } = await makeOwner(server, "moving");
      const asked = await send(pageOf("otp_email"));
      const code = await codeOf(server, email);
      await callUser(server, "SetEmail", { userId, email: "moved@mail.example", isVerified: true });
      const moved = await browser.submit(asked, { code });
      assert.match(moved.alert ?? "", /no longer valid/);
      assert.ok(moved.html.includes("moved@mail.example"), "where one can be sent now");
      assert.match((await look("/ui/account/methods/add/code?kind=otp_email")).address, /\/methods\/add\?/);
      await callUser(server, "SetEmail", { userId, email: "unproven@mail.example", sendCode: {} });
      assert.match((await browser.submit(asked, { code })).alert ?? "", /email address/i, "unproven");
      assert.match((await browser.submit(asked, {}, again)).alert ?? "", /email address/i);
      assert.equal(
        (await inboxOf(server, "unproven@mail.example")).filter(({ kind }) => kind === "otp_email").length,
        0,
      );

      const text = await send(pageOf("otp_sms"));
      const number = await codeOf(server, phone);
      await changeSettings(server, "login", { secondFactors: ["totp"] });
      assert.ok(isMethods(await browser.submit(text, { code: number })), "not allowed any more");
      assert.ok(isMethods(await browser.submit(text, {}, again)));
      assert.deepEqual(await methods(), []);
      await changeSettings(server, "login", { secondFactors: ["totp", "otp_email", "otp_sms"] });

      await callUser(server, "AddOTPSMS", { userId });
      assert.ok(isMethods(await browser.submit(text, { code: "WRONG1" })), "an administrator switched it on meanwhile");
      await callUser(server, "RemoveOTPSMS", { userId });

      // The form is valid for as long as the authentication is fresh.
      server.clock.now += minutes(10);
      assert.match((await browser.submit(text, { code: number })).address, /^\/ui\/login/);
      assert.deepEqual(await methods(), []);
    },
  );

  test("another user's request switches nothing on, and an unknown kind leads back", async (t) => {
    const server = await open(t);
    const ada = await makeOwner(server, "ada");
    await callUser(server, "SetPhone", { userId: ada.userId, phone: "+41790000001", isVerified: true });
    const eve = await makeOwner(server, "eve");
    await ada.send(pageOf("otp_email"));
    const hers = await ada.open("/ui/account/methods/add/code?kind=otp_email");
    assert.match(hers.title, /^Turn on/);
    const elsewhere = await eve.open("/ui/account/methods/add/code?kind=otp_email");
    assert.match(elsewhere.address, /\/methods\/add\?/, "she waits for none");
    const theirs = await eve.send(pageOf("otp_email"));
    const code = await codeOf(server, ada.email);
    if (code !== (await codeOf(server, eve.email))) {
      assert.match((await eve.browser.submit(theirs, { code })).alert ?? "", /incorrect/);
    }
    for (const kind of ["", "totp", "otp_fax", "__proto__"]) {
      for (const path of [pageOf(kind), `/ui/account/methods/add/code?kind=${kind}`]) {
        assert.ok(isMethods(await eve.open(path)), path);
      }
    }
    assert.deepEqual([await ada.methods(), await eve.methods()], [[], []]);
  });
});
