import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { callUser, createSession, inboxOf } from "../factor/support.ts";
import { allFactors, codeOf, half } from "../login/support/second-factors.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

const large = { config: { messageLimits: { email: 1000, sms: 100 } } };

const tryUser = (server: TestServer, method: string, body: object) =>
  server.connect(`service.user.v2.UserService/${method}`, body);

/** Invites many people at one address, until there were too many; returns how many messages went. */
async function flood(server: TestServer, organizationId: string, email: string): Promise<number> {
  for (let number = 0; number < 50; number++) {
    const username = `flood-${randomUUID()}`;
    const human = { profile: { givenName: "A", familyName: "B" }, email: { email, sendCode: {} } };
    const { status } = await tryUser(server, "CreateUser", { organizationId, username, human });
    if (status === 429) return number;
    assert.equal(status, 200);
  }
  return 50;
}

eachServer((start) => {
  test("codes after a password are there whatever others asked for (N4)", async (t) => {
    const server = await start(t, large);
    const [bank, evil] = [await addOrganization(server, "Bank"), await addOrganization(server, "Evil")];
    const ada = await addPerson(server, { username: "ada", organizationId: bank });
    const mail = "ada@mail.example";
    const number = "+491701234567";
    await callUser(server, "AddOTPEmail", { userId: ada.userId });
    await changeSettings(server, "login", { secondFactors: allFactors });
    const reset = () => tryUser(server, "PasswordReset", { userId: ada.userId, sendLink: {} });
    const challenge = (kind: string, checks: object = { password: { password: ada.password } }) =>
      createSession(server, {
        checks: { user: { userId: ada.userId }, ...checks },
        challenges: { [kind]: kind === "otpEmail" ? { sendCode: {} } : {} },
      });

    await t.test("what another organization sends is its own share of the recipient", async () => {
      assert.equal(await flood(server, evil, mail), 5, "it has a share");
      assert.equal((await reset()).status, 200, "and the person's organization another");
      assert.equal(await flood(server, evil, mail.toUpperCase()), 0, "in any spelling");
    });

    await t.test("invitations, resets and sign-in codes have shares of their own", async () => {
      assert.equal(await flood(server, bank, mail), 5);
      for (let count = 0; count < 4; count++) assert.equal((await reset()).status, 200, `${count}`);
      assert.equal((await reset()).status, 429);
      for (let count = 0; count < 3; count++) {
        const { status, body } = await challenge("otpEmail");
        assert.equal(status, 201, JSON.stringify(body));
      }
      const { browser, page } = await half(server, ada);
      assert.match(page.title, /^Check your email/);
      const back = await browser.submit(page, { code: await codeOf(server, mail) });
      assert.ok(isBack(back), back.html);
    });

    await t.test("by text message as well", async () => {
      await callUser(server, "SetPhone", { userId: ada.userId, phone: number, isVerified: true });
      await callUser(server, "AddOTPSMS", { userId: ada.userId });
      const bob = await addPerson(server, { username: "bob", organizationId: bank });
      const send = () => tryUser(server, "SetPhone", { userId: bob.userId, phone: number, sendCode: {} });
      for (let count = 0; count < 3; count++) assert.equal((await send()).status, 200);
      assert.equal((await send()).status, 429);
      const { status, body } = await challenge("otpSms");
      assert.equal(status, 201, JSON.stringify(body));
    });

    await t.test("a code that no proof precedes counts with those that strangers ask for", async () => {
      assert.equal((await challenge("otpEmail", {})).status, 429);
    });

    await t.test("a right password sends no flood", async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) statuses.push((await challenge("otpEmail")).status);
      assert.equal(statuses.at(-1), 429, statuses.join());
      const sent = (await inboxOf(server, mail)).filter(({ kind }) => kind === "otp_email");
      assert.equal(sent.length, 5);
      server.clock.now += 10 * 60_000;
      assert.equal((await challenge("otpEmail")).status, 201, "later again");
    });
  });

  test("an organization that has used up its messages still sends codes after a password, and resets (N4)", async (t) => {
    const server = await start(t, { config: { messageLimits: { email: 8, sms: 10 } } });
    const bank = await addOrganization(server, "Bank");
    const ada = await addPerson(server, { username: "ada", organizationId: bank });
    await callUser(server, "AddOTPEmail", { userId: ada.userId });
    assert.equal(await flood(server, bank, "many@mail.example"), 4);
    const checks = { user: { userId: ada.userId }, password: { password: ada.password } };
    const ask = () => createSession(server, { checks, challenges: { otpEmail: { sendCode: {} } } });
    for (let count = 0; count < 4; count++) assert.equal((await ask()).status, 201);
    assert.equal((await ask()).status, 429, "as many as it has of others");
    const reset = () => tryUser(server, "PasswordReset", { userId: ada.userId, sendLink: {} });
    for (let count = 0; count < 4; count++) assert.equal((await reset()).status, 200, "resets have as many apart");
    assert.equal((await reset()).status, 429);
  });

  test("a stranger who asks for a new password all day leaves its owner some (N4)", async (t) => {
    const server = await start(t, { config: { ...large.config, trustedProxies: ["127.0.0.0/8"] } });
    const client = await addClient(server);
    const [ada, bob] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "bob" })];
    const ask = async (loginName: string, address: string): Promise<void> => {
      const { browser, page } = await visit(server, client);
      const password = await browser.submit(page, { login_name: loginName });
      const asked = await browser.open(password.address.replace("/password?", "/forgotten?"));
      const { title } = await browser.submit(asked, {}, { headers: { "x-forwarded-for": address } });
      assert.match(title, /^Check your email/);
    };
    const resetsOf = async (address: string) =>
      (await inboxOf(server, address)).filter(({ kind }) => kind === "password_reset").length;
    for (let count = 0; count < 40; count++) {
      await ask(ada.loginName, "203.0.113.1");
      server.clock.now += 10 * 60_000;
    }
    const caused = await resetsOf("ada@mail.example");
    assert.ok(caused >= 5 && caused <= 10, `${caused} messages of the stranger`);
    await ask(ada.loginName, "198.51.100.1");
    assert.equal(await resetsOf("ada@mail.example"), caused + 1, "the owner, who comes from elsewhere");
    await ask(bob.loginName, "203.0.113.1");
    assert.equal(
      await resetsOf("bob@mail.example"),
      1,
      "nor does another person at the address of the stranger pay for it",
    );
  });
});
