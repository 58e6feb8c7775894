import assert from "node:assert/strict";
import { test } from "node:test";
import { inboxOf } from "../factor/support.ts";
import { visit } from "../login/support/sign-in.ts";
import { grace as entered, messagesTo } from "../login/support/sign-up.ts";
import { addPerson, defaultOrganization, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

// An organization has 20 emails and 10 text messages a day, and a source half of them.
const config = { messageLimits: { email: 40, sms: 20 }, trustedProxies: ["127.0.0.0/8"] };
const comingFrom = (source: string) => ({ headers: { "x-forwarded-for": source } });
const stranger = "203.0.113.1";
const elsewhere = "198.51.100.1";

eachServer((start) => {
  test("one source leaves the users of an organization its messages", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    const people: Person[] = [];
    for (let count = 0; count < 9; count++) people.push(await addPerson(server, { username: `mallory${count}` }));
    const honest = await addPerson(server, { username: "honest" });

    await t.test("whose accounts change their addresses and numbers", async () => {
      const sent = { email: 0, phone: 0 };
      for (const [index, person] of people.slice(0, 2).entries()) {
        const { token } = await sessionOf(server, person);
        const set = async (field: "email" | "phone", value: string): Promise<void> => {
          const asked = { token, body: { [field]: value }, ...comingFrom(stranger) };
          const { status } = await server.rest("PUT", `/auth/v1/users/me/${field}`, asked);
          if (status === 200) sent[field]++;
          else assert.equal(status, 429);
        };
        for (let count = 0; count < 10; count++) await set("email", `u@many${index}${count}.example`);
        for (let count = 0; count < 5; count++) await set("phone", `+417910000${index}${count}`);
      }
      assert.deepEqual(sent, { email: 10, phone: 5 });

      const register = async (email: string, source: string): Promise<string> => {
        const { browser, page } = await visit(server, client, { prompt: "create" });
        return (await browser.submit(page, { ...entered, email }, comingFrom(source))).alert ?? "";
      };
      assert.match(await register("another@mail.example", stranger), /Too many messages/, "in whichever way");
      assert.equal(await register("new@mail.example", elsewhere), "");
      assert.equal((await messagesTo(server, "new@mail.example")).length, 1);
      const { token } = await sessionOf(server, honest);
      const own = { token, body: { phone: "+41791112233" }, ...comingFrom(elsewhere) };
      assert.equal((await server.rest("PUT", "/auth/v1/users/me/phone", own)).status, 200);
      const human = {
        profile: { givenName: "Ida", familyName: "Example" },
        email: { email: "ida@mail.example", sendCode: {} },
      };
      const user = { organizationId: await defaultOrganization(server), username: "ida", human };
      const made = await server.connect("service.user.v2.UserService/CreateUser", user, comingFrom(stranger));
      assert.equal(made.status, 200, "an administrator has no share");
    });

    await t.test("and networks of one site that ask for new passwords of many users", async () => {
      const ask = async (loginName: string, source: string): Promise<void> => {
        const { browser, page } = await visit(server, client);
        const password = await browser.submit(page, { login_name: loginName });
        const asked = await browser.open(password.address.replace("/password?", "/forgotten?"));
        assert.match((await browser.submit(asked, {}, comingFrom(source))).title, /^Check your email/);
      };
      const resetsOf = async (name: string): Promise<number> =>
        (await inboxOf(server, `${name}@mail.example`)).filter(({ kind }) => kind === "password_reset").length;
      for (let round = 0; round < 3; round++) {
        for (const [index, { loginName }] of people.entries()) await ask(loginName, `2001:db8:9:${round}${index}::1`);
        server.clock.now += 61_000;
      }
      let sent = 0;
      for (const index of people.keys()) sent += await resetsOf(`mallory${index}`);
      assert.equal(sent, 10);
      await ask(honest.loginName, elsewhere);
      assert.equal(await resetsOf("honest"), 1);
    });
  });
});
