import assert from "node:assert/strict";
import { test } from "node:test";
import { join, sql } from "../../src/database/index.ts";
import { readCommonParts } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserFixtures, type UserFixtures } from "./support.ts";

/** Adds users with numbered names, created at the given instants. */
async function fill(fixtures: UserFixtures, instants: readonly number[]): Promise<void> {
  const { organizationId } = await fixtures.organization("Acme");
  await fixtures.database.touch(fixtures.owner, async (tx) => {
    for (let first = 0; first < instants.length; first += 250) {
      const rows = instants.slice(first, first + 250).map((instant, index) => {
        const name = `staff${10_000 + first + index}`;
        return sql`(${tx.instanceId}, ${name}, ${organizationId}, 'human', 'active', ${name}, ${name}, ${`${name}@a`}, ${`${name}@a`}, 'Zoë', 1,
          ${instant}, ${instant}, 0, 0)`;
      });
      tx.write(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
        login_name_key, display_name, sequence, created_at, changed_at, is_password_change_required, failed_password_checks)
        values ${join(rows, ", ")}`);
    }
  });
}

const count = 3000;
const spans: Readonly<Record<string, (number: number) => number>> = {
  "one after the other": (number) => number * 1000,
  "at once, and one a year later": (number) => (number === count - 1 ? 31_536_000_000 : number),
  "all in one moment": () => 7,
};

eachEngine((open) => {
  for (const [came, at] of Object.entries(spans)) {
    test(`parts of texts that every user has are known where people came ${came}`, async (t) => {
      const fixtures = await makeUserFixtures(t, open);
      await fill(
        fixtures,
        Array.from({ length: count }, (_each, number) => at(number)),
      );
      const parts = await readCommonParts(fixtures.database.read, fixtures.owner.instanceId);
      for (const part of ["sta", "aff", "ff1", "zoë"]) assert.ok(parts.has(part), part);
      // The first people have these numbers, and the last ones those; others do not.
      for (const part of ["000", "299"]) assert.ok(!parts.has(part), part);
    });
  }

  test("among a few people nothing is common", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    await fill(fixtures, [1, 2, 3]);
    assert.deepEqual([...(await readCommonParts(fixtures.database.read, fixtures.owner.instanceId))], []);
  });
});
