import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { make } from "../authorization/support/prepared.ts";
import { slugOf } from "../factor/support.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addStaff, bodyAt, createTrust, isIn, linkingOptions } from "./trusted.ts";

eachServer((start) => {
  test("an address that only a lesser administrator verified links no account by itself", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const acme = await addStaff(server, "acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo(acme.organizationId, acme.owner.token, bodyAt(provider, linkingOptions));
    const comes = async (username: string) => {
      provider.user = { sub: username, email: `${username}@mail.example`, email_verified: true };
      return isIn(await trust.throughPages(acme.organizationId, idpId, provider));
    };
    let count = 0;
    for (const author of ["clerk", "owner"] as const) {
      for (const isAppointed of [false, true]) {
        await t.test(`verified by the ${author}, ${isAppointed ? "then" : "not"} appointed`, async () => {
          const username = `match-${++count}`;
          const person = await make(server, acme, username, acme[author].token);
          if (isAppointed) await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
          const isGood = author === "owner" || !isAppointed;
          assert.equal(await comes(username), isGood);
          assert.equal((await trust.links(person.userId)).length, isGood ? 1 : 0);
        });
      }
    }

    const correct = async (userId: string, token: string, email: string) => {
      const body = { email, isVerified: true };
      assert.equal(slugOf(await server.rest("POST", `/v2/users/${userId}/email`, { body, token })), "done");
    };
    // Linked while the user administered nothing: the link is no better than the author of the address.
    for (const author of ["clerk", "owner", "user"] as const) {
      for (const isCorrected of [false, true]) {
        await t.test(`named by the ${author}, linked, ${isCorrected ? "corrected, " : ""}then appointed`, async () => {
          const username = `early-${++count}`;
          const naming = author === "user" ? loginToken : acme[author].token;
          const { userId } = await make(server, acme, username, naming);
          assert.equal(await comes(username), true);
          if (isCorrected) await correct(userId, acme.clerk.token, `real-${username}@mail.example`);
          const session = sql`select 1 from sessions where user_id = ${userId} and terminated_at is null`;
          const isOpen = async () => (await server.app.domain.database.read.all(session)).length > 0;
          assert.equal(await isOpen(), true);
          await appoint(server, { userId }, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
          const isGood = author !== "clerk";
          assert.equal(await isOpen(), isGood);
          assert.equal((await trust.links(userId))[0]?.suspended !== true, isGood);
          assert.equal(await comes(username), isGood);
          if (isGood || isCorrected) return;
          await correct(userId, acme.owner.token, `${username}@mail.example`);
          assert.equal(await comes(username), true, "an owner says that the address is the user's");
        });
      }
    }

    await t.test("nor does it keep the account from the user whose address it is", async () => {
      const trap = await make(server, acme, "trap", acme.clerk.token);
      const moved = await server.rest("POST", `/v2/users/${trap.userId}/email`, {
        body: { email: "shared@mail.example", isVerified: true },
        token: acme.clerk.token,
      });
      assert.equal(slugOf(moved), "done");
      await appoint(server, trap, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      const real = await make(server, acme, "shared", acme.owner.token);
      assert.equal(await comes("shared"), true);
      assert.equal((await trust.links(real.userId)).length, 1);
    });
  });
});
