import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { visit } from "../login/support/sign-in.ts";
import { addPerson, defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

const users = "service.user.v2.UserService";
const large = { config: { messageLimits: { email: 1000, sms: 100 } } };

const countMessages = async ({ app: { domain } }: TestServer, recipient: string): Promise<number> => {
  const rows = await domain.database.read.all(sql`select 1 from notifications where recipient = ${recipient}`);
  return rows.length;
};

const invite = async (server: TestServer, name: string) =>
  server.connect(`${users}/CreateUser`, {
    organizationId: await defaultOrganization(server),
    username: name,
    human: {
      profile: { givenName: name, familyName: "Example" },
      email: { email: `${name}@mail.example`, sendCode: {} },
    },
  });

eachServer((start) => {
  test("an address gets only a few emails, and a phone number fewer text messages, from all callers together (A25)", async (t) => {
    const server = await start(t, large);
    const ada = await addPerson(server, { username: "ada" });
    const mail = () => server.connect(`${users}/PasswordReset`, { userId: ada.userId, sendLink: {} });
    const text = () =>
      server.connect(`${users}/SetPhone`, { userId: ada.userId, phone: "+491701234567", sendCode: {} });
    for (const [send, most, recipient] of [
      [mail, 5, "ada@mail.example"],
      [text, 3, "+491701234567"],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 12 }, send));
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, most, statuses.join());
      assert.equal(statuses.filter((status) => status === 429).length, 12 - most, statuses.join());
      const refused = answers.find(({ status }) => status === 429);
      assert.equal(refused?.body.code, "resource_exhausted");
      assert.ok(Number(refused.headers.get("retry-after")) > 60, refused.headers.get("retry-after") ?? "");
      assert.equal(await countMessages(server, recipient), most);
    }
    server.clock.now += 10 * 60_000;
    assert.equal((await mail()).status, 200, "later again");
  });

  test("one user cannot have text messages sent to many numbers, and no other pays for it (A25)", async (t) => {
    const server = await start(t, large);
    const [ada, bob] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "bob" })];
    const text = (userId: string, number: number) =>
      server.connect(`${users}/SetPhone`, { userId, phone: `+4917012345${number}`, sendCode: {} });
    for (let number = 10; number < 15; number++) assert.equal((await text(ada.userId, number)).status, 200);
    assert.equal((await text(ada.userId, 15)).status, 429);
    assert.equal((await text(bob.userId, 16)).status, 200);
  });

  test("an organization has half of its instance's messages; invitations of many users are not a flood (A25)", async (t) => {
    const server = await start(t, { config: { messageLimits: { email: 40, sms: 10 } } });
    for (let number = 0; number < 20; number++) {
      const { status, body } = await invite(server, `person${number}`);
      assert.equal(status, 200, JSON.stringify(body));
    }
    assert.equal((await invite(server, "person20")).status, 429);
    const found = await server.connect(`${users}/ListUsers`, {
      queries: [{ emailQuery: { emailAddress: "person20@mail.example" } }],
    });
    assert.equal(found.body.result?.length ?? 0, 0, "nothing was made of what was refused");
  });

  test("the page for a forgotten password says the same, and the code that was sent stays good (A25)", async (t) => {
    const server = await start(t, large);
    await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const forget = async (loginName: string) => {
      const { browser, page } = await visit(server, client);
      const asked = await browser.submit(page, { login_name: loginName });
      const form = await browser.open(
        asked.html.match(/href="([^"]*forgotten[^"]*)"/)?.[1]?.replaceAll("&amp;", "&") ?? "",
      );
      server.clock.now += 61_000;
      const { title, alert } = await browser.submit(form, {});
      return { title, alert };
    };
    const seen = [];
    for (let count = 0; count < 12; count++) seen.push(await forget("ada"));
    const unknown = await forget("nobody");
    for (const each of seen) assert.deepEqual(each, unknown);
    const count = await countMessages(server, "ada@mail.example");
    assert.ok(count >= 3 && count < 12, `${count} messages`);
  });
});
