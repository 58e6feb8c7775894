import assert from "node:assert/strict";
import { test } from "node:test";
import { findConsent, giveConsent } from "../../src/domain/consent/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures } from "../support/operations/fixtures.ts";

eachEngine((open) => {
  test("first consents that a user gives at the same time add up, each with its event", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { owner, database } = fixtures;
    const { organizationId } = await fixtures.organization("Home");
    for (let round = 0; round < 20; round++) {
      const key = { userId: "ada", clientId: `client-${round}` };
      const give = (...scopes: string[]): Promise<void> =>
        database.change(owner, (tx) => giveConsent(tx, { ...key, organizationId, scopes, preparedBy: [] }));
      await Promise.all([give("openid", "email"), give("openid", "phone")]);
      const consent = await findConsent(database.read, owner.instanceId, key);
      assert.deepEqual(consent?.scopes.toSorted(), ["email", "openid", "phone"]);
      assert.equal(consent.sequence, 2, "the second consent changed the row of the first");
    }
  });

  test("the same first consent given several times at once is recorded once", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { owner, database } = fixtures;
    const { organizationId } = await fixtures.organization("Home");
    for (let round = 0; round < 20; round++) {
      const key = { userId: "ada", clientId: `client-${round}` };
      await Promise.all(
        Array.from({ length: 4 }, () =>
          database.change(owner, (tx) =>
            giveConsent(tx, { ...key, organizationId, scopes: ["openid"], preparedBy: [] }),
          ),
        ),
      );
      const consent = await findConsent(database.read, owner.instanceId, key);
      assert.equal(consent?.sequence, 1);
    }
  });
});
