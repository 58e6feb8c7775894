import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { isFreshCaller, mayActForUser } from "../../src/domain/session/index.ts";
import { operatorCall, recoverAdministrator } from "../../src/domain/setup/index.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { lives, make, touch } from "./support/prepared.ts";

eachServer((start) => {
  test("roles gained other than by appointment also end sessions that others could have opened", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const { organizationId } = acme;
    const { database } = server.app.domain;
    const backChannelLogoutUri = "https://shop.example/signed-out";
    const client = await addClient(server, { isConsentRequired: true, backChannelLogoutUri });

    await t.test("the owner of a new project", async () => {
      const clerk = await addPerson(server, { username: "both", organizationId });
      await appoint(server, clerk, { organizationId }, ["ORG_USER_MANAGER", "ORG_PROJECT_CREATOR"]);
      const { token } = await sessionOf(server, clerk);
      for (const [author, isKept] of [
        [token, false],
        [acme.boss.token, true],
      ] as const) {
        const person = await make(server, acme, `creator-${isKept}`, author);
        await appoint(server, person, { organizationId }, ["ORG_PROJECT_CREATOR"]);
        const before = await sessionOf(server, person);
        const own = await sessionOf(server, person);
        const body = { name: `Project ${isKept}` };
        const made = await server.rest("POST", "/management/v1/projects", { body, token: own.token });
        assert.equal(made.status, 200, JSON.stringify(made.body));
        assert.deepEqual([await lives(server, before.token), await lives(server, own.token)], [isKept, true]);
      }
    });

    const allow = async (person: Person) => {
      const browser = await signedIn(server, person);
      const { page } = await visit(server, client, {}, browser);
      assert.ok(isBack(await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" })), page.html);
    };
    const rowsOf = async (table: "consents" | "session_clients", { userId }: Person) => {
      const { read } = database;
      const rows =
        table === "consents"
          ? await read.all(sql`select 1 from consents where user_id = ${userId}`)
          : await read.all(sql`select 1 from session_clients c join sessions s on s.instance_id = c.instance_id
              and s.session_id = c.session_id where s.user_id = ${userId} and s.terminated_at is null`);
      return rows.length;
    };

    await t.test("an administrator whom the operator lets in again", async () => {
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      for (const author of ["clerk", "boss"] as const) {
        const person = await make(server, acme, `recovered-${author}`, acme[author].token);
        await allow(person);
        assert.equal(await rowsOf("consents", person), 1);
        const deps = { ...server.app.domain, mayActFor: mayActForUser, isFresh: isFreshCaller };
        const { loginName } = person;
        const recovered = { loginName, password: "another long sentence" };
        await recoverAdministrator(deps, operatorCall(instanceId, server.clock.now), recovered);
        assert.equal(await rowsOf("consents", person), author === "clerk" ? 0 : 1);
      }
    });

    await t.test(
      "what a client had by a consent goes with it, including the notice of a sign-out in another session",
      async () => {
        for (const author of ["clerk", "boss"] as const) {
          const person = await make(server, acme, `noticed-${author}`, acme[author].token);
          await allow(person);
          // The session is the user's own, the consent is not.
          await touch(server, sql`update sessions set prepared_by = '[]' where user_id = ${person.userId}`);
          assert.equal(await rowsOf("session_clients", person), 1);
          await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
          assert.equal(await rowsOf("session_clients", person), author === "clerk" ? 0 : 1);
        }
      },
    );
  });
});
