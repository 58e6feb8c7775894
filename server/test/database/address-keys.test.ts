import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql, type Tx } from "../../src/database/index.ts";
import { findUserByLoginName, listUnreachableNames } from "../../src/domain/login-name/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

interface Former {
  readonly userId: string;
  readonly organizationId?: string;
  readonly username: string;
  readonly loginName?: string;
  readonly email?: string;
  readonly since?: number;
  readonly provenAt?: number;
}

// Names are given in the form in which earlier versions compared them.
const addUser = (
  tx: Tx,
  { userId, organizationId = "home", username, loginName, email, since = 1, provenAt }: Former,
) =>
  tx.run(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, username_set_at,
      preferred_login_name, login_name_key, display_name, sequence, created_at, changed_at, email, email_key, email_proven_at,
      is_email_verified, is_password_change_required, failed_password_checks)
    values (${tx.instanceId}, ${userId}, ${organizationId}, 'human', 'active', ${username}, ${username}, ${since},
      ${loginName ?? username}, ${loginName ?? username}, ${userId}, 1, 5, 5,
      ${email ?? `${userId}@mail.example`}, ${email ?? `${userId}@mail.example`}, ${provenAt}, ${true}, 0, 0)`);

eachEngine((_open, engine) => {
  test("names and addresses of earlier versions are compared by their domain, and the earliest user keeps a name (A12)", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0124"),
    });
    const call = testCall();
    const { instanceId } = call;
    await before.touch(call, async (tx) => {
      for (const [id, primary] of [
        ["home", "home.localhost"],
        ["acme", "xn--bcher-kva.example"],
      ] as const) {
        await tx.run(sql`insert into organizations (instance_id, organization_id, name, name_key, state, primary_domain, sequence,
            created_at, changed_at) values (${instanceId}, ${id}, ${id}, ${id}, 'active', ${primary}, 1, 1, 1)`);
        await tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
            is_primary, validation_type, created_at, changed_at)
          values (${instanceId}, ${id}, ${primary}, 1, 1, 1, 'none', 1, 1)`);
      }
      const users: readonly Former[] = [
        { userId: "plain", username: "plain@mail.example" },
        { userId: "local", username: "józef" },
        { userId: "mail", username: "mail", email: "ä@käse.example" },
        { userId: "free", username: "free@käse.example", email: "free@käse.example" },
        { userId: "long", username: "long@käse.example", loginName: "long@käse.example@home.localhost" },
        { userId: "thief", username: "ceo@bücher.example" },
        { userId: "theirs", organizationId: "acme", username: "boss@bücher.example" },
        { userId: "early", username: "one@käse.example", since: 1 },
        { userId: "late", username: "one@xn--kse-qla.example", since: 2 },
        { userId: "first", username: "two@xn--kse-qla.example", since: 1 },
        { userId: "second", username: "two@käse.example", since: 2 },
        { userId: "third", username: "two@ka\u0308se.example.", since: 3 },
        ...[
          { userId: "maker", username: "me@käse.example", since: 1, provenAt: 10 },
          { userId: "twin", username: "me@xn--kse-qla.example", since: 2, provenAt: 20 },
          { userId: "younger", username: "you@käse.example", since: 2, provenAt: 20 },
          { userId: "older", username: "you@xn--kse-qla.example", since: 1, provenAt: 10 },
          { userId: "lookalike", username: "bank@käse\ufe0f.example", since: 1, provenAt: 10 },
          { userId: "bank", username: "bank@käse.example", since: 2, provenAt: 20 },
        ].map((user) => ({ ...user, email: user.username })),
      ];
      for (const user of users) await addUser(tx, user);
      for (let index = 0; index < 510; index++) {
        const username = `z${index}@käse.example`;
        await addUser(tx, { userId: `z${index}`, username, email: username });
      }
    });
    await before.close();

    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const { read } = after;
    const meant = async (name: string) => (await findUserByLoginName(read, instanceId, name))?.userId;
    for (const domain of ["käse.example", "KÄSE.example.", "xn--kse-qla.example"]) {
      const names = {
        free: "free",
        one: "early",
        two: "first",
        me: "maker",
        you: "older",
        long: "long",
        bank: "bank",
        z0: "z0",
        z509: "z509",
      };
      for (const [local, userId] of Object.entries(names)) {
        assert.equal(await meant(`${local}@${domain}`), userId, `${local}@${domain}`);
      }
      assert.equal(await meant(`long@${domain}@home.localhost`), "long");
      assert.equal(await meant(`Ä@${domain}`), "mail");
    }
    assert.equal(await meant("plain@mail.example"), "plain");
    assert.equal(await meant("Józef"), "local");
    assert.equal(await meant("boss@bücher.example"), "theirs");
    for (const name of ["ceo@bücher.example", "ceo@xn--bcher-kva.example"]) assert.equal(await meant(name), undefined);
    assert.equal(await meant("ceo@bücher.example@home.localhost"), "thief", "the domain is another organization's");

    const rows = await read.all<{ userId: string; shown: string }>(sql`select user_id as "userId",
        preferred_login_name as "shown" from users where instance_id = ${instanceId}
        and user_id in ('thief', 'early', 'late', 'second', 'third', 'free') order by user_id`);
    assert.deepEqual(Object.fromEntries(rows.map(({ userId, shown }) => [userId, shown])), {
      early: "one@käse.example",
      free: "free@käse.example",
      late: "one@xn--kse-qla.example@home.localhost",
      second: "two@käse.example@home.localhost",
      thief: "ceo@bücher.example@home.localhost",
      third: "two@ka\u0308se.example.@home.localhost",
    });
    for (const name of ["one@xn--kse-qla.example@home.localhost", "two@käse.example@home.localhost"]) {
      assert.ok(!["late", "second", "third"].includes((await meant(name)) ?? ""), name);
    }
    const lost = await listUnreachableNames(read);
    assert.deepEqual(
      lost.map(({ userId }) => userId),
      ["late", "lookalike", "second", "third", "twin", "younger"],
    );
  });
});
