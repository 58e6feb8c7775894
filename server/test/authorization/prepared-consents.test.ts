import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { appoint, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { chooseByCode, make, ownPassword, touch } from "./support/prepared.ts";

eachServer((start) => {
  test("a consent that was given in a session ends with it", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const client = await addClient(server, { isConsentRequired: true });
    const consentsOf = async ({ userId }: Person) =>
      (await server.app.domain.database.read.all(sql`select 1 from consents where user_id = ${userId}`)).length;
    const allow = async (person: Person, parameters: Record<string, string> = {}) => {
      const browser = await signedIn(server, person);
      const { page } = await visit(server, client, parameters, browser);
      assert.ok(isBack(await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" })), page.html);
    };
    const promote = (person: Person) => appoint(server, person, { instance: true }, ["IAM_OWNER"]);

    for (const author of ["clerk", "boss"] as const) {
      await t.test(`by a password of the ${author}`, async () => {
        const person = await make(server, acme, `consent-${author}`, acme[author].token);
        await allow(person);
        assert.equal(await consentsOf(person), 1);
        await promote(person);
        assert.equal(await consentsOf(person), author === "clerk" ? 0 : 1);
        const { page } = await visit(server, client, { prompt: "none" }, await signedIn(server, person));
        const error = new URL(page.address).searchParams.get("error");
        assert.equal(error, author === "clerk" ? "consent_required" : null);
        assert.equal(new URL(page.address).origin, new URL(redirectUri).origin);
      });
    }

    await t.test("a consent that the user gives again in their own session stays", async () => {
      const person = await make(server, acme, "consent-again", acme.clerk.token);
      await allow(person, { scope: "openid email" });
      await chooseByCode(server, person);
      await allow({ ...person, password: ownPassword }, { scope: "openid email", prompt: "consent" });
      await promote(person);
      assert.equal(await consentsOf(person), 1);
    });

    await t.test("a consent that another session extended ends as a whole", async () => {
      const person = await make(server, acme, "consent-more", acme.clerk.token);
      await allow(person, { scope: "openid email" });
      await chooseByCode(server, person);
      await allow({ ...person, password: ownPassword }, { scope: "openid phone" });
      await promote(person);
      assert.equal(await consentsOf(person), 0);
    });

    await t.test(
      "a consent from before authors were recorded counts as given in a session of the organization's owner",
      async () => {
        const person = await make(server, acme, "consent-former", acme.boss.token);
        await allow(person);
        await touch(server, sql`update consents set author = null where user_id = ${person.userId}`);
        await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
        assert.equal(await consentsOf(person), 1);
        await promote(person);
        assert.equal(await consentsOf(person), 0);
      },
    );
  });
});
