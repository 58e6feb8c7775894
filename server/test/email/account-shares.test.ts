import assert from "node:assert/strict";
import { test } from "node:test";
import { inboxOf } from "../factor/support.ts";
import { visit } from "../login/support/sign-in.ts";
import { grace as entered, isAsked, messagesTo } from "../login/support/sign-up.ts";
import { addPerson, defaultOrganization, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const config = { messageLimits: { email: 10_000, sms: 100 }, trustedProxies: ["127.0.0.0/8"] };
const comingFrom = (source: string) => ({ headers: { "x-forwarded-for": source } });
const half = 31_000;
const halfHour = 30 * 60_000;

const countTo = async (server: TestServer, address: string): Promise<number> =>
  (await messagesTo(server, address)).length;

/** Has a code sent to an address by an account that is not its owner's. */
async function name(server: TestServer, person: Person, email: string, source: string): Promise<number> {
  const { token } = await sessionOf(server, person);
  const set = await server.rest("PUT", "/auth/v1/users/me/email", { token, body: { email }, ...comingFrom(source) });
  if (set.status === 200) return set.status;
  const again = { token, body: {}, ...comingFrom(source) };
  return (await server.rest("POST", "/auth/v1/users/me/email/_resend_verification", again)).status;
}

eachServer((start) => {
  test("accounts leave the owner of an address the codes, as strangers do", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    const mallory = await addPerson(server, { username: "mallory" });
    const email = "victim@mail.example";
    const register = async (source: string) => {
      const { browser, page } = await visit(server, client, { prompt: "create" });
      return browser.submit(page, { ...entered, email }, comingFrom(source));
    };
    for (const [rounds, step] of [
      [8, half],
      [48, halfHour],
    ] as const) {
      const statuses: number[] = [];
      for (let round = 0; round < rounds; round++) {
        server.clock.now += step;
        statuses.push(await name(server, mallory, email, `203.0.113.${round % 3}`));
      }
      assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join());
      const before = await countTo(server, email);
      const page = await register(`198.51.100.${rounds}`);
      assert.ok(isAsked(page), page.title);
      assert.equal(await countTo(server, email), before + 1, "the owner, who comes from elsewhere");
    }
    const organizationOf = { userId: (await addPerson(server, { username: "ada" })).userId, email, sendCode: {} };
    const set = await server.connect("service.user.v2.UserService/SetEmail", organizationOf, comingFrom("203.0.113.1"));
    assert.equal(set.status, 200, "an administrator may use what is kept");
  });

  test("one account from one source uses no more than half of an address", async (t) => {
    const server = await start(t, { config });
    const mallory = await addPerson(server, { username: "mallory" });
    for (let round = 0; round < 6; round++) {
      server.clock.now += half;
      await name(server, mallory, "prey@mail.example", "203.0.113.1");
    }
    assert.equal(await countTo(server, "prey@mail.example"), 3);
  });

  test("what was sent again to a user of unknown address is not told to those who guess the address", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    const source = comingFrom("203.0.113.1");
    const { id: userId } = (
      await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: await defaultOrganization(server),
        username: "hidden",
        human: { profile: { givenName: "H", familyName: "I" }, email: { email: "hidden@mail.example", sendCode: {} } },
      })
    ).body;
    const browser = new TestBrowser(server);
    const before = await countTo(server, "hidden@mail.example");
    for (let count = 0; count < 3; count++) {
      server.clock.now += half;
      const page = await browser.open(`/ui/login/verify-email?user=${userId}`);
      await browser.submit(page, {}, { action: `/ui/login/verify-email/resend?user=${userId}`, ...source });
    }
    assert.equal(await countTo(server, "hidden@mail.example"), before + 3);
    for (const email of ["hidden@mail.example", "other@mail.example"]) {
      const { browser: another, page } = await visit(server, client, { prompt: "create" });
      const answer = await another.submit(page, { ...entered, email }, source);
      assert.deepEqual([isAsked(answer), answer.alert ?? ""], [true, ""], email);
    }
  });

  test("many networks of a site leave the owner of an account a code for a new password", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const ask = async (source: string): Promise<void> => {
      const { browser, page } = await visit(server, client);
      const password = await browser.submit(page, { login_name: ada.loginName });
      const asked = await browser.open(password.address.replace("/password?", "/forgotten?"));
      assert.match((await browser.submit(asked, {}, comingFrom(source))).title, /^Check your email/);
    };
    const resets = async (): Promise<number> =>
      (await inboxOf(server, "ada@mail.example")).filter(({ kind }) => kind === "password_reset").length;
    for (let round = 0; round < 24; round++) {
      server.clock.now += 10 * 60_000;
      await ask(`2001:db8:9:${round % 12}::1`);
    }
    assert.equal(await resets(), 5, "as one source");
    for (let round = 0; round < 24; round++) {
      server.clock.now += 10 * 60_000;
      await ask(`203.0.113.${round % 3}`);
    }
    server.clock.now += 90_000;
    const before = await resets();
    await ask("198.51.100.1");
    assert.equal(await resets(), before + 1, "with many sources, their reserve");
  });

  test("many networks of a site leave an organization half of its messages", async (t) => {
    const server = await start(t, { config: { ...config, messageLimits: { email: 80, sms: 100 } } });
    const client = await addClient(server);
    const register = async (email: string, source: string) => {
      const { browser, page } = await visit(server, client, { prompt: "create" });
      const { alert } = await browser.submit(page, { ...entered, email }, comingFrom(source));
      return alert ?? "";
    };
    let alert = "";
    for (let count = 0; count < 41; count++) alert = await register(`u${count}@many.example`, `2001:db8:9:${count}::1`);
    assert.match(alert, /Too many messages/);
    assert.equal(await register("honest@mail.example", "198.51.100.1"), "");
    assert.equal(await countTo(server, "honest@mail.example"), 1);
  });
});
