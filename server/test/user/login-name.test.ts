import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalName } from "../../src/base/names/canonical.ts";
import { sql } from "../../src/database/index.ts";
import { findUserByLoginName, renameLoginNames } from "../../src/domain/login-name/index.ts";
import { setOrganizationMetadata } from "../../src/domain/organization/index.ts";
import { changeUserState, findUser, type HumanUser } from "../../src/domain/user/index.ts";
import { createHumanUser, createMachineUser, updateUser } from "../../src/domain/user-management/index.ts";
import { getUser } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { lockUser } from "../support/databases/locked-user.ts";
import { testTime } from "../support/operations/fixtures.ts";
import { makeUserFixtures, outcomeOf, type UserFixtures } from "./support.ts";

const email = (address: string, isVerified = true) => ({ address, isVerified });

function addDomain(fixtures: UserFixtures, organizationId: string, domain: string, isProven = true): Promise<number> {
  return fixtures.database.touch(fixtures.owner, (tx) =>
    tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven, is_primary,
        validation_type, created_at, changed_at)
      values (${tx.instanceId}, ${organizationId}, ${domain}, 1, ${isProven}, 0, 'none', 1, 1)`),
  );
}

interface Modelled {
  readonly userId: string;
  readonly organizationId: string;
  readonly isActive: boolean;
  readonly username: string;
  readonly email: { readonly address: string; readonly isVerified: boolean };
}

// The rule, said once more and in another way than the product does.
function expectedUser(
  users: readonly Modelled[],
  owners: ReadonlyMap<string | undefined, string>,
  name: string,
): string | undefined {
  const [local, domain] = name.split("@");
  const owner = owners.get(domain);
  const mine = users.filter((user) => owner === undefined || user.organizationId === owner);
  // All proofs here are words of the same instant, so ids decide.
  const vouched = mine
    .filter(({ email: { address, isVerified } }) => isVerified && address === name)
    .toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
  const [known] = [...vouched.filter(({ isActive }) => isActive), ...vouched];
  if (known) return known.userId;
  const qualified = owner && mine.find((user) => user.username === local);
  if (qualified) return qualified.userId;
  return mine
    .filter(({ username }) => username === name)
    .map(({ userId }) => userId)
    .toSorted()[0];
}

// More than twice what one unit of work renames.
const manyUsers = 250;

async function fillWithUsers(fixtures: UserFixtures, organizationId: string): Promise<void> {
  await fixtures.database.change(fixtures.owner, async (tx) => {
    for (let index = 0; index < manyUsers; index++) {
      await createMachineUser(tx, fixtures, { organizationId, username: `user-${index}`, name: "User" });
    }
  });
}

const renameIn = (fixtures: UserFixtures, organizationId: string, primaryDomain: string): Promise<void> =>
  fixtures.database.touch(fixtures.owner, (tx) => renameLoginNames(tx, { organizationId, primaryDomain }));

/** The domains of the login names of the users whose usernames have none. */
async function domainsOf(fixtures: UserFixtures, organizationId: string): Promise<string[]> {
  const rows = await fixtures.database.read.all<{ name: string }>(sql`select login_name_key as "name" from users
    where instance_id = ${fixtures.owner.instanceId} and organization_id = ${organizationId} and strpos(username_key, '@') = 0`);
  return [...new Set(rows.map(({ name }) => name.slice(name.indexOf("@") + 1)))];
}

/** Numbers below a limit, the same ones in every run (Numerical Recipes' linear congruential generator). */
function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

eachEngine((open) => {
  const setUp = async (t: Parameters<typeof makeUserFixtures>[0]) => {
    const fixtures = await makeUserFixtures(t, open);
    const [acme, evil] = [await fixtures.organization("Acme"), await fixtures.organization("Evil")];
    const find = async (name: string, organizationId?: string) =>
      (await findUserByLoginName(fixtures.database.read, "instance-1", name, { organizationId }))?.userId;
    return { fixtures, acme, evil, find };
  };

  test("a user is found by login name, by each proven domain, by bare username and by verified email", async (t) => {
    const { fixtures, acme, find } = await setUp(t);
    await addDomain(fixtures, acme.organizationId, "acme.com");
    await addDomain(fixtures, acme.organizationId, "unproven.com", false);
    const { userId } = await fixtures.person(acme, { username: "Jane", email: email("Jane@Home.example") });
    for (const name of ["jane@acme.example.com", "JANE@acme.com", " jane ", "jane@home.example", "Ｊane"]) {
      assert.equal(await find(name), userId, name);
    }
    for (const name of [
      "jane@unproven.com",
      "jane@evil.example.com",
      "jan",
      "jane@",
      "jane@acme.example.com@acme.com",
    ]) {
      assert.equal(await find(name), undefined, name);
    }
    const { loginNames } = await getUser(fixtures, fixtures.owner, { userId });
    assert.deepEqual(loginNames, ["Jane@acme.example.com", "Jane@acme.com"]);
  });

  test("an unverified email address is not a name", async (t) => {
    const { fixtures, acme, find } = await setUp(t);
    await fixtures.person(acme, { username: "jane", email: email("jane@home.example", false) });
    assert.equal(await find("jane@home.example"), undefined);
  });

  test("no user takes over a qualified name of another organization", async (t) => {
    const { fixtures, acme, evil, find } = await setUp(t);
    const attacks = [
      { username: "jane@acme.example.com", email: email("jane@acme.example.com", false) },
      { username: "eve", email: email("jane@acme.example.com") },
    ];
    const shadows: HumanUser[] = [];
    for (const attack of attacks) shadows.push(await fixtures.person(evil, attack));
    assert.equal(await find("jane@acme.example.com"), undefined, "before Jane exists");
    const jane = await fixtures.person(acme, { username: "jane", email: email("jane@home.example") });
    assert.equal(await find("jane@acme.example.com"), jane.userId);
    await changeUserState(fixtures, fixtures.owner, { userId: jane.userId, move: "deactivate" });
    assert.equal(await find("jane@acme.example.com"), jane.userId, "also when Jane is inactive");
    assert.equal(await find("jane@acme.example.com@evil.example.com"), shadows[0]?.userId);
    assert.equal(await find("jane@acme.example.com", evil.organizationId), shadows[1]?.userId, "among users of Evil");
  });

  test("a name without a domain identifies a user of the organization that had it first", async (t) => {
    const { fixtures, acme, evil, find } = await setUp(t);
    const first = await fixtures.person(acme, { username: "jane" });
    const later = (given: Parameters<typeof fixtures.person>[1]) =>
      fixtures.database.change(fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { now: testTime + 1 }), (tx) =>
        createHumanUser(tx, fixtures, {
          organizationId: evil.organizationId,
          profile: { givenName: "A", familyName: "B" },
          email: email("x@y.example"),
          ...given,
        }),
      );
    const second = await later({ username: "JANE" });
    const third = await fixtures.person(evil, { username: "other", email: email("jane@home.example") });
    const address = "jane@home.example";
    await fixtures.person(acme, { username: address, email: email(address, false) });
    assert.equal(await find("jane"), first.userId);
    assert.equal(await find("jane", acme.organizationId), first.userId);
    assert.equal(await find("jane", evil.organizationId), second.userId);
    assert.equal(await find(address), third.userId, "a verified address beats a name (A12)");
    await changeUserState(fixtures, fixtures.owner, { userId: second.userId, move: "lock" });
    await changeUserState(fixtures, fixtures.owner, { userId: third.userId, move: "deactivate" });
    assert.equal(await find("jane"), first.userId);
    assert.equal(await find(address), third.userId, "also when its owner may not sign in");
    await changeUserState(fixtures, fixtures.owner, { userId: second.userId, move: "unlock" });
    await changeUserState(fixtures, fixtures.owner, { userId: first.userId, move: "deactivate" });
    assert.equal(await find("jane"), first.userId, "also when its owner may not sign in");
  });

  test("names of another instance are other names", async (t) => {
    const { fixtures, acme } = await setUp(t);
    await fixtures.person(acme, { username: "jane" });
    for (const name of ["jane", "jane@acme.example.com"]) {
      assert.equal(await findUserByLoginName(fixtures.database.read, "instance-2", name), undefined);
    }
  });

  test("whom a name means is decided by the organization that owns its domain, in random instances", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const random = sequence(20_270_115);
    for (let round = 0; round < 12; round++) {
      const organizations = [await fixtures.organization(`A${round}`), await fixtures.organization(`B${round}`)];
      const domains = [`a${round}.example.com`, `b${round}.example.com`, `free${round}.example`];
      const owners = new Map(organizations.map(({ organizationId }, index) => [domains[index], organizationId]));
      const locals = [`x${round}`, `y${round}`];
      const names = [...locals, ...locals.flatMap((local) => domains.map((domain) => `${local}@${domain}`))];
      const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
      const users: Modelled[] = [];
      for (let count = 0; count < 8; count++) {
        const { organizationId } = pick(organizations);
        const given = { username: pick(names), email: email(pick(names.slice(2)), random(4) > 0) };
        const user = await fixtures.person({ organizationId }, given).catch(() => undefined);
        if (user === undefined) continue;
        const isActive = random(4) > 0;
        if (!isActive) await changeUserState(fixtures, fixtures.owner, { userId: user.userId, move: "lock" });
        users.push({ userId: user.userId, organizationId, isActive, ...given });
      }
      for (const name of names) {
        const found = await findUserByLoginName(fixtures.database.read, "instance-1", name);
        assert.equal(found?.userId, expectedUser(users, owners, name), `${name} in ${JSON.stringify(users)}`);
      }
    }
  });

  test("no two users of an instance have one login name", async (t) => {
    const { fixtures, acme } = await setUp(t);
    await fixtures.person(acme, { username: "jane" });
    const taken = "already_exists user.username_taken";
    for (const username of ["jane", "JANE", "Ｊane", "jane@acme.example.com"]) {
      assert.equal(await outcomeOf(fixtures.person(acme, { username })), taken, username);
    }
    const john = await fixtures.person(acme, { username: "john" });
    const rename = (username: string) =>
      outcomeOf(updateUser(fixtures, fixtures.owner, { userId: john.userId, username }));
    assert.equal(await rename("jane@acme.example.com"), taken);
    assert.equal(await rename("Jane"), taken);
    assert.equal(await rename("johnny"), "done");
    assert.equal(await outcomeOf(fixtures.person(acme, { username: "john" })), "done");
  });

  test("of users created concurrently with one username exactly one is created", async (t) => {
    const { fixtures, acme } = await setUp(t);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => outcomeOf(fixtures.person(acme, { username: "jane" }))),
    );
    assert.equal(outcomes.filter((outcome) => outcome === "done").length, 1);
  });

  test("another primary domain gives every user of the organization another login name, and no other user", async (t) => {
    const { fixtures, acme, evil } = await setUp(t);
    const { organizationId } = acme;
    const jane = await fixtures.person(acme, { username: "Jane" });
    await addDomain(fixtures, organizationId, "new_corp.com");
    const whole = await fixtures.person(acme, { username: "john@New_Corp.com" });
    const similar = await fixtures.person(acme, { username: "jim@new-corp.com", email: email("jim@new-corp.com") });
    const stranger = await fixtures.person(evil, { username: "jane" });
    await fixtures.database.touch(fixtures.owner, (tx) =>
      renameLoginNames(tx, { organizationId, primaryDomain: "New_Corp.com" }),
    );
    const nameOf = async ({ userId }: { userId: string }) =>
      (await findUser(fixtures.database.read, "instance-1", userId))?.preferredLoginName;
    assert.equal(await nameOf(jane), "Jane@New_Corp.com");
    assert.equal(await nameOf(whole), "john@New_Corp.com");
    assert.equal(await nameOf(similar), "jim@new-corp.com@New_Corp.com");
    assert.equal(await nameOf(stranger), "jane@evil.example.com");
  });

  test("a primary domain with which two users would have one login name is refused", async (t) => {
    const { fixtures, acme } = await setUp(t);
    await fixtures.person(acme, { username: "jane" });
    const { organizationId } = acme;
    await addDomain(fixtures, organizationId, "corp.com");
    await fixtures.person(acme, { username: "jane@corp.com" });
    const rename = fixtures.database.touch(fixtures.owner, (tx) =>
      renameLoginNames(tx, { organizationId, primaryDomain: "corp.com" }),
    );
    assert.equal(await outcomeOf(rename), "failed_precondition user.login_names_collide");
  });

  test("many users are renamed in batches, between which other changes have their turn", async (t) => {
    const { fixtures, acme, evil } = await setUp(t);
    const { organizationId } = acme;
    await fillWithUsers(fixtures, organizationId);
    for (const domain of ["first.com", "second.com", "third.com"]) await addDomain(fixtures, organizationId, domain);
    const ended: string[] = [];
    const entries = [{ key: "key", value: Buffer.from("value") }];
    const goOn = await lockUser(fixtures.database, { organizationId, index: 150 });
    const rename = renameIn(fixtures, organizationId, "first.com").then(() => ended.push("rename"));
    await setOrganizationMetadata(fixtures, fixtures.owner, { organizationId: evil.organizationId, entries });
    ended.push("other");
    await goOn();
    await rename;
    assert.deepEqual(ended, ["other", "rename"]);
    assert.deepEqual(await domainsOf(fixtures, organizationId), ["first.com"]);
    // Twice at once: the later one is done, whichever that is, and the earlier one before it or not at all.
    const both = await Promise.allSettled([
      renameIn(fixtures, organizationId, "second.com"),
      renameIn(fixtures, organizationId, "third.com"),
    ]);
    const failures = both.filter((one) => one.status === "rejected").map(({ reason }) => reason.name);
    assert.ok(failures.length < 2);
    assert.deepEqual(new Set(failures), new Set(failures.map(() => "DatabaseUnavailable")));
    assert.equal((await domainsOf(fixtures, organizationId)).length, 1);
  });

  test("where names of many users would collide, all keep theirs", async (t) => {
    const { fixtures, acme } = await setUp(t);
    const { organizationId } = acme;
    await fillWithUsers(fixtures, organizationId);
    const [before = ""] = await domainsOf(fixtures, organizationId);
    await addDomain(fixtures, organizationId, "corp.com");
    await addDomain(fixtures, organizationId, "other.com");
    await fixtures.person(acme, { username: "user-240@corp.com", email: email("user-240@corp.com") });
    const rename = renameIn(fixtures, organizationId, "corp.com");
    assert.equal(await outcomeOf(rename), "failed_precondition user.login_names_collide");
    assert.deepEqual(await domainsOf(fixtures, organizationId), [before]);
    await renameIn(fixtures, organizationId, "other.com");
    assert.deepEqual(await domainsOf(fixtures, organizationId), ["other.com"]);
  });

  test("the username falls back to the email address, the display name to given and family name", async (t) => {
    const { fixtures, acme } = await setUp(t);
    const user = await fixtures.person(acme, { username: undefined, email: email("Jane@Home.example") });
    assert.equal(user.username, "Jane@Home.example");
    assert.equal(user.displayName, "Given Family");
    assert.equal(user.preferredLoginName, "Jane@Home.example@acme.example.com");
    const { userId } = user;
    const change = async (profile: { familyName?: string; displayName?: string }) => {
      await updateUser(fixtures, fixtures.owner, { userId, human: { profile } });
      return (await findUser(fixtures.database.read, "instance-1", userId))?.displayName;
    };
    assert.equal(await change({ familyName: "New" }), "Given New");
    assert.equal(await change({ displayName: "Boss" }), "Boss");
    assert.equal(await change({ familyName: "Newer" }), "Boss");
  });

  test("keys are stored as names are compared", async (t) => {
    const { fixtures, acme } = await setUp(t);
    const made = await fixtures.database.change(fixtures.owner, (tx) =>
      createHumanUser(tx, fixtures, {
        organizationId: acme.organizationId,
        username: "ÄÖ@Home.Example",
        profile: { givenName: "A", familyName: "B" },
        email: email("äö@Home.Example"),
      }),
    );
    const [row] = await fixtures.database.read.all<{ usernameKey: string; loginNameKey: string; emailKey: string }>(
      sql`select username_key as "usernameKey", login_name_key as "loginNameKey", email_key as "emailKey" from users
        where instance_id = ${"instance-1"} and user_id = ${made.userId}`,
    );
    assert.equal(row?.usernameKey, canonicalName("ÄÖ@Home.Example"));
    assert.equal(row?.loginNameKey, canonicalName("ÄÖ@Home.Example@acme.example.com"));
    assert.equal(row?.emailKey, canonicalName("äö@Home.Example"));
  });
});
