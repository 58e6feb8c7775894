import assert from "node:assert/strict";
import { addMember, callUser, inboxOf } from "../factor/support.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { eventually, pass, useMailServer } from "./support.ts";

const large = { config: { messageLimits: { email: 1000, sms: 100 } } };

/** Invites people of an organization. */
async function invite(server: TestServer, organizationId: string, name: string, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const username = `${name}-${number}`;
    const human = {
      profile: { givenName: "A", familyName: "B" },
      email: { email: `${username}@mail.example`, sendCode: {} },
    };
    await callUser(server, "CreateUser", { organizationId, username, human });
  }
}

serversInTurn((start, test, both) => {
  test("organizations take turns at the provider, and codes go before notices (N5)", async (t) => {
    const server = await start(t, large);
    const mail = await startMailServer(t);
    const [evil, bank, shop] = [
      await addOrganization(server, "Evil"),
      await addOrganization(server, "Bank"),
      await addOrganization(server, "Shop"),
    ];
    const positionOf = (name: string): number => mail.received.findIndex(({ to }) => to[0] === `${name}@mail.example`);
    const renamed = [];
    for (let number = 0; number < 30; number++) {
      renamed.push(await addPerson(server, { username: `renamed-${number}`, organizationId: evil }));
    }
    const ada = await addPerson(server, { username: "ada", organizationId: bank });
    const bob = await addPerson(server, { username: "bob", organizationId: bank });
    server.clock.now += 1000;
    for (const [number, { userId }] of renamed.entries()) {
      await callUser(server, "UpdateUser", { userId, username: `another-${number}` });
    }
    await callUser(server, "UpdateUser", { userId: bob.userId, username: "robert" });
    await invite(server, evil, "evil", 60);
    server.clock.now += 1000;
    await invite(server, shop, "shop", 3);
    await callUser(server, "PasswordReset", { userId: ada.userId, sendLink: {} });
    await useMailServer(server, mail);
    await pass(server, 10_000);
    await eventually(() => mail.received.length === 95, "everything is sent");
    // Four at a time go to a provider: one turn of each organization, and as many on their way.
    assert.ok(positionOf("ada") < 8, `the code of the bank is number ${positionOf("ada")}`);
    for (const [number, most] of [10, 14, 18].entries()) {
      assert.ok(positionOf(`shop-${number}`) < most, `shop ${number} is number ${positionOf(`shop-${number}`)}`);
    }
    assert.ok(positionOf("bob") < 30, `the notice of the bank is number ${positionOf("bob")}, not the last`);
    const first = renamed.map((_, number) => positionOf(`renamed-${number}`));
    const later = first.filter((position) => position > 60).length;
    assert.ok(later > 15, `most notices come after the codes: ${first.join()}`);
  });

  test("changes of one kind are told in one message, and in a few a day (N5)", async (t) => {
    const server = await start(t, large);
    const mail = await startMailServer(t);
    const { userId } = await addMember(server, { username: "joe" });
    const recipient = "joe@mail.example";
    const rename = (count: number) => callUser(server, "UpdateUser", { userId, username: `joe-${count}` });
    const told = async (kind: string): Promise<number> =>
      (await inboxOf(server, recipient)).filter((message) => message.kind === kind).length;
    const sent = (): number => mail.received.filter(({ to }) => to[0] === recipient).length;

    await t.test("what was not sent yet is told once", async () => {
      for (let count = 0; count < 20; count++) await rename(count);
      assert.equal(await told("username_changed"), 1);
      await callUser(server, "SetPhone", { userId, phone: "+41791234567", isVerified: true });
      assert.equal(await told("phone_changed"), 1, "another kind of change is another message");
    });

    await t.test("what was sent is told again, five times a day", async () => {
      await useMailServer(server, mail);
      await pass(server, 10_000);
      await eventually(() => sent() === 2, "both are sent");
      for (let count = 20; count < 40; count++) {
        await rename(count);
        await pass(server, 10_000);
      }
      assert.equal(sent(), 6, "five of names and one of a number");
      await callUser(server, "AddOTPEmail", { userId });
      await pass(server, 10_000);
      await eventually(() => sent() === 7, "other changes are told all the same");
      assert.equal(await told("username_changed"), 6, "one waits");
    });

    await t.test("the last of them is told later, and never left out", async () => {
      await pass(server, 5 * 3_600_000);
      await eventually(() => sent() === 8, "it is sent when there is one again");
      await pass(server, 24 * 3_600_000);
      assert.equal(sent(), 8, "once");
    });

    await t.test("a new password is told like this as well", async () => {
      for (let count = 0; count < 12; count++) {
        await callUser(server, "SetPassword", { userId, newPassword: { password: `correct horse ${count} staple` } });
        await pass(server, 10_000);
      }
      const ofPassword = (await inboxOf(server, recipient)).filter(({ kind }) => kind === "password_changed");
      assert.equal(sent(), 8 + 5, JSON.stringify(ofPassword.length));
    });
  });

  both("the first notice of a user in a day does not wait for those of users who had some", async (t) => {
    const server = await start(t, { config: { messageLimits: { email: 20, sms: 10 } } });
    const mail = await startMailServer(t);
    await useMailServer(server, mail);
    const rename = (userId: string, username: string) => callUser(server, "UpdateUser", { userId, username });
    const toldTo = (name: string): number => mail.received.filter(({ to }) => to[0] === `${name}@mail.example`).length;
    const mallory = [await addPerson(server, { username: "mallory" }), await addPerson(server, { username: "marvin" })];
    const ada = await addPerson(server, { username: "ada" });
    server.clock.now += 1_000;
    for (let count = 0; count < 5; count++) {
      for (const [index, { userId }] of mallory.entries()) await rename(userId, `m-${index}-${count}`);
      await pass(server, 10_000);
      await eventually(() => toldTo("mallory") + toldTo("marvin") >= Math.min(4, 2 * count + 2), "they are told");
    }
    const told = toldTo("mallory") + toldTo("marvin");
    assert.ok(told >= 4 && told <= 6, `half of the ten that the organization has: ${told}`);
    await rename(ada.userId, "countess");
    await pass(server, 10_000);
    await eventually(() => toldTo("ada") === 1, "the user is told at once");
    await pass(server, 24 * 3_600_000);
    await eventually(() => toldTo("mallory") + toldTo("marvin") > told, "what waits is sent later");
  });

  test("an address gets so many notices of one organization, and an organization sends so many (N5)", async (t) => {
    const server = await start(t, { config: { messageLimits: { email: 120, sms: 10 } } });
    const mail = await startMailServer(t);
    await useMailServer(server, mail);
    const [evil, bank] = [await addOrganization(server, "Evil"), await addOrganization(server, "Bank")];
    const at = async (organizationId: string, name: string, email: string) => {
      const human = { profile: { givenName: "A", familyName: "B" }, email: { email, isVerified: true } };
      const { id } = await callUser(server, "CreateUser", { organizationId, username: name, human });
      return id as string;
    };
    const victim = "victim@mail.example";
    const [of, other] = [[] as string[], [] as string[]];
    for (let number = 0; number < 55; number++) of.push(await at(evil, `of-${number}`, victim));
    for (let number = 0; number < 15; number++)
      other.push(await at(evil, `other-${number}`, `o-${number}@mail.example`));
    const ada = await at(bank, "ada", victim);
    server.clock.now += 1000;
    for (const userId of [...of, ...other]) {
      await callUser(server, "UpdateUser", { userId, username: `next-${userId}` });
    }
    await pass(server, 10_000);
    await eventually(() => mail.received.length >= 60, "what the organization has is sent");
    assert.equal(mail.received.length, 60, "half of the mails of the instance");
    await callUser(server, "UpdateUser", { userId: ada, username: "countess" });
    await pass(server, 10_000);
    await eventually(() => mail.received.length === 61, "the person's own organization has its share");
    assert.ok(mail.received.filter(({ to }) => to[0] === victim).length <= 51);
    await pass(server, 3_600_000);
    await eventually(() => mail.received.length > 61, "what waits is sent when there is one again");
  });
});
