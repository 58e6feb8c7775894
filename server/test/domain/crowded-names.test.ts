import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, type Sql, sql } from "../../src/database/index.ts";
import { createDomainClaims } from "../../src/domain/contact/index.ts";
import {
  isVerifiedElsewhere,
  listUsersByProvenEmail,
} from "../../src/domain/identity-provider-sign-in/matching-user.store.ts";
import {
  findUserByLoginName,
  findUserByPhone,
  listMeantAnywhere,
  renameLoginNames,
} from "../../src/domain/login-name/index.ts";
import { addOrganizationDomain, setPrimaryDomain } from "../../src/domain/organization/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { addManyNames, countLoginNames, countToldUsers } from "../support/databases/many-names.ts";
import { noteStatements } from "../support/databases/noted-statements.ts";
import { mostRowsOf, type Node } from "../support/databases/touched-rows.ts";
import { makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";

// More than are looked at in one unit of work, or for one name.
const many = 2500;

/** What a statement reads: on SQLite the steps of its plan, on PostgreSQL the most rows of a step. */
async function explain({ engine, read }: Database, statement: Sql): Promise<{ steps: string[]; rows: number }> {
  if (engine === "sqlite") {
    const steps = await read.all<{ detail: string }>(sql`explain query plan ${statement}`);
    return { steps: steps.map(({ detail }) => detail), rows: 0 };
  }
  const [row] = await read.all<Record<string, readonly { readonly Plan: Node }[]>>(
    sql`explain (analyze, format json) ${statement}`,
  );
  return { steps: [], rows: mostRowsOf(row?.["QUERY PLAN"]?.[0]?.Plan ?? assert.fail()) };
}

// An index with what makes an address or number that of its user, or one that leads from organization to organization.
const boundedStep =
  /\(instance_id=\? AND (?:email_key=\?|phone=\?|<expr>=\?(?: AND organization_id=\?)?) AND <expr>=\?|_in_organization \(instance_id=\? AND <expr>=\?(?: AND organization_id>\?)?\)$/;

async function assertBounded(database: Database, statements: readonly Sql[]): Promise<void> {
  for (const each of statements) {
    const { steps, rows } = await explain(database, each);
    assert.ok(rows <= 1000, `${rows} rows: ${each.shape.postgres}`);
    for (const step of steps.filter((one) => /users_by_(?:email|phone|mailbox)/.test(one))) {
      assert.match(step, boundedStep);
    }
  }
}

async function setUp(t: Parameters<OpenDatabase>[0], open: OpenDatabase) {
  const directory = await makeDirectory(await open(t));
  const { database } = directory.deps;
  const caller = await directory.as(directory.ownerId);
  const [evil, front] = [await directory.addOrganization("Evil"), await directory.addOrganization("Front")];
  const deps = {
    ...directory.deps,
    renameLoginNames,
    requiresDomainProof: async () => false,
    domainClaims: createDomainClaims(directory.deps),
  };
  const addMany = async (organizationId: string, domain: string, count = many) => {
    const userId = await directory.addUser(organizationId, `model-of-${domain}`);
    await addManyNames(database, caller, { userId, count, domain });
    if (database.engine === "postgres") await database.touch(caller, (tx) => tx.run(sql`analyze users`));
  };
  const own = (organizationId: string, domain: string) =>
    outcome(() => addOrganizationDomain(deps, caller, { organizationId, domain }));
  const setState = (organizationId: string, state: string) =>
    database.touch(caller, (tx) =>
      tx.run(sql`update organizations set state = ${state}
        where instance_id = ${directory.instanceId} and organization_id = ${organizationId}`),
    );
  const noted: Sql[] = [];
  noteStatements(database, (statement) => noted.push(statement));
  // The units of work are the same in their turns.
  Object.assign(database, { changeAtLength: database.change, touchAtLength: database.touch });
  /** The selects on users of an operation with these words. */
  const during = async (words: string, work: () => Promise<unknown>): Promise<Sql[]> => {
    noted.length = 0;
    await work();
    return noted.filter(({ shape: { sqlite } }) => /^\s*(?:select|with)\b/.test(sqlite) && sqlite.includes(words));
  };
  return { directory, deps, database, caller, evil, front, addMany, own, during, setState };
}

eachEngine((open) => {
  test("proving a domain reads names in it, and no others of the instance; many are gone through in portions", async (t) => {
    const { database, caller, evil, front, addMany, own, during } = await setUp(t, open);
    await addMany(evil, "else.example");
    await addMany(evil, "few.example", 3);
    const read = await during("told_of_domain", async () => assert.equal(await own(front, "few.example"), "ok"));
    assert.equal(read.length, 1);
    const { steps, rows } = await explain(database, read[0] ?? assert.fail());
    assert.deepEqual(
      steps.filter((step) => / users /.test(step)),
      database.engine === "postgres"
        ? []
        : ["username", "login_name"].map(
            (name) => `SEARCH users USING INDEX users_by_domain_of_${name} (instance_id=? AND <expr>=? AND user_id>?)`,
          ),
    );
    assert.ok(rows <= 10, `${rows} rows`);
    assert.equal(await countLoginNames(database, "few.example"), 0);
    assert.deepEqual(await countToldUsers(database), { users: 3, messages: 3 });
    assert.equal(await countLoginNames(database, "else.example"), many);
    // The owner's names are not concerned, however many they are.
    await addMany(front, "own.example");
    await addMany(evil, "alien.example", 2);
    await database.touch(caller, (tx) =>
      tx.run(sql`update users set username = 'x' || replace(username, 'alien.', 'own.'),
          username_key = 'x' || replace(username_key, 'alien.', 'own.'), preferred_login_name = 'x' || replace(username, 'alien.', 'own.'),
          login_name_key = 'x' || replace(username, 'alien.', 'own.')
        where username_key like '%@alien.example'`),
    );
    const portions = await during("told_of_domain", async () => assert.equal(await own(front, "own.example"), "ok"));
    assert.equal(portions.length, 4);
    for (const each of portions) assert.ok((await explain(database, each)).rows <= many);
    assert.equal(await countLoginNames(database, "own.example"), many);
    assert.deepEqual(await countToldUsers(database), { users: 5, messages: 5 });
  });

  test("where names have no domain, a change of the primary one looks each name up among the proven domains", async (t) => {
    const { deps, database, caller, evil, front, addMany, during } = await setUp(t, open);
    const domains = 300;
    await addMany(evil, "loose.example", 200);
    await database.touch(caller, async (tx) => {
      await tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
          is_primary, validation_type, created_at, changed_at)
        with recursive series(i) as (select 1 union all select i + 1 from series where i < ${domains})
        select ${tx.instanceId}, ${front}, 'd' || cast(i as text) || '.example', 1, 1, 0, 'none', 0, 0 from series`);
      await tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
        values (${tx.instanceId}, ${evil}, 'domain', '{"loginNameIncludesDomain":false}', 1, 0, 0)`);
      await tx.run(sql`update users set username = replace(username, 'loose.example', 'd7.example'),
          username_key = replace(username_key, 'loose.example', 'd7.example')
        where organization_id = ${evil} and username_key like 'n0007@%'`);
    });
    const target = { organizationId: evil, domain: "evil.example" };
    await addOrganizationDomain(deps, caller, target);
    const set = () => outcome(() => setPrimaryDomain(deps, caller, target));
    const noted = await during("organization_domains d", async () => assert.equal(await set(), "ok"));
    assert.ok(noted.length > 0);
    for (const each of noted) {
      const { steps, rows } = await explain(database, each);
      assert.ok(rows <= 2000, `${rows} rows`);
      for (const step of steps.filter((one) => one.startsWith("SEARCH d ")))
        assert.match(step, /organization_domains_proven \(instance_id=\? AND domain=\?\)/);
    }
    const names = await database.read.all<{ name: string }>(sql`select login_name_key as "name" from users
      where organization_id = ${evil} and username_key like 'n000_@%' order by username_key`);
    assert.deepEqual(
      names.slice(5, 8).map(({ name }) => name),
      ["n0006@loose.example", "n0007@d7.example@evil.example", "n0008@loose.example"],
    );
  });

  test("changes that read all names of an organization take their turn", async (t) => {
    const { deps, database, caller, evil } = await setUp(t, open);
    let turns = 0;
    const changeAtLength: Database["changeAtLength"] = (call, work) => {
      turns++;
      return database.change(call, work as never);
    };
    Object.assign(database, { changeAtLength });
    const target = { organizationId: evil, domain: "turn.example" };
    await addOrganizationDomain(deps, caller, target);
    assert.equal(turns, 1);
    await setPrimaryDomain(deps, caller, target);
    assert.equal(turns, 2);
  });

  test("a name that very many users have as address or number costs no more, and means the one with the best claim", async (t) => {
    const { database, directory, caller, evil, front, addMany, during, setState } = await setUp(t, open);
    const { instanceId, organizationId: byDefault } = directory;
    const [address, phone] = ["victim@bank.example", "+41791234567"];
    await addMany(evil, "crowd.example");
    const give = async (userId: string, since: number) =>
      database.touch(caller, (tx) =>
        tx.run(sql`update users set email = ${address}, email_key = ${address}, is_email_verified = 1,
          email_verified_at = ${since}, email_proven_at = null, email_proof = null, is_email_proof_wide = 0, phone = ${phone}, is_phone_verified = 1,
          phone_verified_at = ${since}, phone_proof = null, is_phone_proof_wide = 0
        where user_id = ${userId}`),
      );
    await database.touch(caller, (tx) =>
      tx.run(sql`update users set email = ${address}, email_key = ${address}, is_email_verified = 1, email_verified_at = 1000,
        email_proven_at = null, email_proof = null, is_email_proof_wide = 0, phone = ${phone}, is_phone_verified = 1, phone_verified_at = 1000, is_phone_proof_wide = 0
      where organization_id = ${evil} and username_key like '%@crowd.example'`),
    );
    if (database.engine === "postgres") await database.touch(caller, (tx) => tx.run(sql`analyze users`));
    const find = async (organizationId?: string) => {
      const byName = await findUserByLoginName(database.read, instanceId, address, { organizationId });
      const byNumber = await findUserByPhone(database.read, instanceId, phone, { organizationId });
      assert.equal(byName?.userId, byNumber?.userId);
      return byName;
    };
    const asked = await during("users", async () => {
      assert.equal((await find())?.organizationId, evil);
      assert.equal((await find(evil))?.organizationId, evil);
      assert.equal(await find(front), undefined);
    });
    assert.ok(asked.length >= 6, `${asked.length} statements`);
    await assertBounded(database, asked);
    // A crowd of an organization that was deactivated keeps the address from none of the others.
    const other = await directory.addUser(front, "other");
    await give(other, 9_000);
    await setState(evil, "inactive");
    const beside = await during("users", async () => assert.equal((await find())?.userId, other));
    await assertBounded(database, beside);
    await setState(evil, "active");
    assert.equal((await find())?.organizationId, evil);
    // One after another, each with a better claim.
    const [first, second, third] = [
      await directory.addUser(front, "first"),
      await directory.addUser(byDefault, "second"),
      await directory.addUser(front, "third"),
    ];
    await give(first, 999);
    assert.equal((await find())?.userId, first, "the earliest word");
    await give(second, 2000);
    assert.equal((await find())?.userId, second, "the word of the default organization");
    await give(third, 3000);
    const update = (assignment: Sql) =>
      database.touch(caller, (tx) =>
        tx.run(sql`update users set ${assignment}
      where user_id = ${third}`),
      );
    await update(sql`is_email_proof_wide = 1, is_phone_proof_wide = 1`);
    assert.equal((await find())?.userId, third, "a word that counts in the whole instance");
    await update(sql`state = 'locked'`);
    assert.equal((await find())?.userId, second, "who may sign in comes first");
    await update(sql`email_proven_at = 4000, phone_proof = '{"by":"code"}', state = 'active'`);
    assert.equal((await find())?.userId, third, "a code");
    assert.equal((await find(front))?.userId, third);
  });

  test("a mailbox that very many addresses with a + lead to costs no more, and is that of the user with the best claim", async (t) => {
    const { database, directory, caller, evil, front, addMany, during, setState } = await setUp(t, open);
    const { instanceId } = directory;
    await addMany(evil, "crowd.example");
    const mailbox = "info@bank.example";
    const give = (address: Sql, where: Sql) =>
      database.touch(caller, async (tx) => {
        await tx.run(sql`update users set email = ${address}, email_key = ${address}, is_email_verified = 1,
            email_verified_at = 1000, email_proven_at = null, email_proof = null, is_email_proof_wide = 0 where ${where}`);
        if (tx.engine === "postgres") await tx.run(sql`analyze users`);
      });
    const ofCrowd = sql`organization_id = ${evil} and username_key like '%@crowd.example'`;
    const find = async () =>
      (await listMeantAnywhere(database.read, instanceId, { name: mailbox, address: mailbox }))[0];
    const findBounded = async () => {
      const found: Awaited<ReturnType<typeof find>>[] = [];
      await assertBounded(database, await during("users", async () => void found.push(await find())));
      return found[0];
    };
    await give(sql`'info+' || username_key`, ofCrowd);
    assert.equal(await findBounded(), undefined, "another mailbox");
    await give(sql`'info+' || user_id || '@bank.example'`, ofCrowd);
    assert.equal((await findBounded())?.organizationId, evil);
    const [later, earlier] = [await directory.addUser(front, "later"), await directory.addUser(front, "earlier")];
    await give(sql`'info+later+more@bank.example'`, sql`user_id = ${later}`);
    await database.touch(caller, (tx) =>
      tx.run(sql`update users set email_verified_at = 2000 where user_id = ${later}`),
    );
    assert.equal((await find())?.organizationId, evil, "the earliest word");
    await setState(evil, "inactive");
    assert.equal((await findBounded())?.userId, later, "who may sign in comes first");
    await give(sql`'info+@bank.example'`, sql`user_id = ${earlier}`);
    assert.equal((await find())?.userId, earlier, "the earliest word of those");
    await database.touch(caller, (tx) =>
      tx.run(sql`update users set email_proven_at = 3000, is_email_proof_wide = 1 where user_id = ${later}`),
    );
    assert.equal((await find())?.userId, later, "a code");
    await setState(evil, "active");
    assert.equal((await find())?.userId, later);
  });

  test("an address that very many users have costs a sign-in at a provider no more", async (t) => {
    const { database, directory, caller, evil, front, addMany, during, setState } = await setUp(t, open);
    const { instanceId } = directory;
    const emailKey = "vera@bank.example";
    await addMany(evil, "crowd.example");
    const give = (where: Sql, more = sql`email_proven_at = null, is_email_proof_wide = 0`) =>
      database.touch(caller, async (tx) => {
        await tx.run(sql`update users set email = ${emailKey}, email_key = ${emailKey}, is_email_verified = 1, ${more}
            where ${where}`);
        if (tx.engine === "postgres") await tx.run(sql`analyze users`);
      });
    const ofCrowd = sql`organization_id = ${evil} and username_key like '%@crowd.example'`;
    const list = (ownerOrganizationId = "", organizationId?: string) =>
      listUsersByProvenEmail(database.read, instanceId, {
        emailKey,
        organizationId,
        provider: { ownerOrganizationId },
      });
    const ids = async (...of: Parameters<typeof list>) => (await list(...of)).map(({ userId }) => userId);
    const isElsewhere = (organizationId: string) =>
      isVerifiedElsewhere(database.read, instanceId, { emailKey, organizationId });
    const bounded = async (work: () => Promise<unknown>) => assertBounded(database, await during("users", work));
    await give(ofCrowd);
    await bounded(async () => {
      assert.deepEqual(await ids(), [], "the word of an organization counts for nothing");
      assert.equal((await ids(evil, evil)).length, 21, "but at its own provider");
      assert.equal((await ids(evil)).length, 21);
      assert.equal(await isElsewhere(evil), false);
      assert.equal(await isElsewhere(front), true);
    });
    await give(ofCrowd, sql`email_proven_at = null, is_email_proof_wide = 1`);
    const [first, second] = [await directory.addUser(front, "first"), await directory.addUser(front, "second")];
    for (const each of [first, second]) {
      await give(
        sql`user_id = ${each}`,
        sql`email_proven_at = null, email_verified_at = 5000, is_email_proof_wide = 1`,
      );
    }
    assert.equal(await isElsewhere(evil), true);
    await setState(evil, "inactive");
    await bounded(async () => {
      assert.deepEqual(await ids(), [first, second].toSorted(), "no number of users who may not sign in hides others");
      assert.equal(await isElsewhere(front), false);
    });
    await setState(evil, "active");
    await give(sql`user_id = ${second}`, sql`email_proven_at = 6000`);
    await give(sql`user_id = ${first}`, sql`email_proven_at = 7000`);
    await bounded(async () => assert.deepEqual((await ids()).slice(0, 2), [second, first], "codes come first"));
    await give(sql`user_id = ${second}`, sql`state = 'locked'`);
    assert.equal((await ids())[0], first);
    await setState(front, "inactive");
    await bounded(async () => assert.equal(await isElsewhere(evil), false));
  });
});
