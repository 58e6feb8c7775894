import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { callUser, inboxOf, slugOf } from "../factor/support.ts";
import { addStaff, emailOf } from "../identity-provider/trusted.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const codeText = "Call the help desk, and enter there: {{.Code}}";

eachServer((start) => {
  test("texts of an organization reach only users who administer no more than their author", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const { organizationId, manager, clerk, owner, plain, boss } = acme;
    const elsewhere = await addPerson(server, { username: "acme-elsewhere", organizationId });
    await appoint(server, elsewhere, { organizationId: await addOrganization(server, "bank") }, [
      "ORG_SETTINGS_MANAGER",
    ]);
    const path = (kind: string) => `/management/v1/text/message/${kind}/en`;
    const headers = { "x-service-orgid": organizationId };
    const set = async (kind: string, text: string, token?: string) => {
      const body = { subject: "Our newsletter", text };
      const put = await server.rest("PUT", path(kind), { headers, body, ...(token !== undefined && { token }) });
      assert.equal(slugOf(put), "done");
    };
    /** The users who get the words of the organization, of those who are sent the message. */
    const reached = async (send: (person: Person) => Promise<unknown>) => {
      // Messages of one kind to a user have a budget.
      server.clock.now += 2 * 86_400_000;
      const names: string[] = [];
      for (const [name, person] of Object.entries({ plain, manager, clerk, owner, elsewhere, boss })) {
        await send(person);
        const [message] = await inboxOf(server, emailOf(person));
        assert.ok(message, name);
        if (message.subject === "Our newsletter") names.push(name);
        else assert.match(String(message.subject), /password/i, name);
      }
      return names;
    };
    const reset = ({ userId }: Person) => callUser(server, "PasswordReset", { userId, sendLink: {} });
    const change = ({ userId }: Person) =>
      callUser(server, "SetPassword", { userId, newPassword: { password: `heather and gorse ${server.clock.now}` } });

    for (const kind of ["passwordreset", "password_change"]) await set(kind, codeTextOf(kind), manager.token);
    assert.deepEqual(await reached(reset), ["plain", "manager"], "a code");
    assert.deepEqual(await reached(change), ["plain", "manager"], "a notice");

    const { token } = await sessionOf(server, { ...owner, password: await passwordOf(owner) });
    await set("passwordreset", codeText, token);
    assert.deepEqual(await reached(reset), ["plain", "manager", "clerk", "owner"], "the same words, by an owner");
    await set("passwordreset", codeText);
    const all = ["plain", "manager", "clerk", "owner", "elsewhere", "boss"];
    assert.deepEqual(await reached(reset), all, "and by an owner of the instance");

    const instance = await server.app.domain.findInstanceByHost("localhost");
    const call = testCall({ instanceId: instance?.instanceId ?? "", now: server.clock.now });
    await server.app.domain.database.touch(call, (tx) =>
      tx.run(sql`update message_texts set author = '[]' where instance_id = ${tx.instanceId}`),
    );
    assert.deepEqual(await reached(reset), ["plain"], "of an author who is not known");

    const ofInstance = await server.rest("PUT", "/admin/v1/text/message/passwordreset/en", {
      body: { subject: "Our newsletter", text: codeText },
    });
    assert.equal(slugOf(ofInstance), "done");
    assert.deepEqual(await reached(reset), all, "texts of the instance reach everyone");

    async function passwordOf({ userId }: Person) {
      const password = "calluna and ulex";
      await callUser(server, "SetPassword", { userId, newPassword: { password, changeRequired: false } });
      return password;
    }
  });
});

const codeTextOf = (kind: string): string => (kind === "passwordreset" ? codeText : "The canteen has a new menu.");
