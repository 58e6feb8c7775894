import assert from "node:assert/strict";
import { test } from "node:test";
import { hash as hashBcrypt } from "@node-rs/bcrypt";
import { Fault } from "../../src/base/fault.ts";
import { sql } from "../../src/database/index.ts";
import { guessDelays } from "../../src/domain/password/guess-delay.ts";
import {
  checkPassword,
  findPasswordChange,
  requestPasswordReset,
  setPassword,
} from "../../src/domain/password/index.ts";
import { changeUserState, findUser, type HumanUser } from "../../src/domain/user/index.ts";
import { updateUser } from "../../src/domain/user-management/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { testTime } from "../support/operations/fixtures.ts";
import { cheapPasswords } from "../support/servers/password-cost.ts";
import { makeUserFixtures, outcomeOf, password, type UserFixtures } from "./support.ts";

interface Watched extends UserFixtures {
  /** How often a password was really compared with a stored hash. */
  readonly evaluations: { count: number };
}

async function makeWatched(t: Parameters<OpenDatabase>[0], open: OpenDatabase, maximum?: number): Promise<Watched> {
  const fixtures = await makeUserFixtures(t, open);
  if (maximum !== undefined) {
    const document = JSON.stringify({ maxPasswordAttempts: maximum, maxOtpAttempts: 5 });
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
        values (${tx.instanceId}, '', 'lockout', ${document}, 1, ${tx.now}, ${tx.now})`),
    );
  }
  const evaluations = { count: 0 };
  const { passwordHasher } = fixtures;
  return {
    ...fixtures,
    evaluations,
    passwordHasher: {
      ...passwordHasher,
      waiting: 0,
      verify: (text, hash) => {
        evaluations.count++;
        return passwordHasher.verify(text, hash);
      },
    },
  };
}

let sources = 0;

/** Each guess comes from elsewhere, so that only what is counted for the user counts. */
const guess = (fixtures: UserFixtures, { userId }: HumanUser, text: string, now = testTime) =>
  checkPassword(
    fixtures,
    { ...fixtures.as([], { now }), source: `${sources++}` },
    { userId, password: text, field: "password" },
  );

/** Why the password of a person cannot stay. */
const changeOf = (fixtures: UserFixtures, { userId }: HumanUser, now = testTime) =>
  findPasswordChange(fixtures, fixtures.as([], { now }), userId);

eachEngine((open) => {
  test("200 parallel wrong passwords are evaluated at most as often as allowed (CVE-2023-47111)", async (t) => {
    const fixtures = await makeWatched(t, open, 5);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => guess(fixtures, user, `wrong ${index}`)),
    );
    assert.equal(outcomes.filter(({ outcome }) => outcome === "wrong").length, 5);
    assert.equal(outcomes.filter(({ outcome }) => outcome === "blocked").length, 195);
    assert.equal(fixtures.evaluations.count, 5);
    assert.deepEqual(await guess(fixtures, user, password), { outcome: "blocked", blockedBy: 5 });
    assert.equal(fixtures.evaluations.count, 5);
  });

  for (const maximum of [1, 9, 10, 11]) {
    test(`a maximum of ${maximum} is reached at exactly so many`, async (t) => {
      const fixtures = await makeWatched(t, open, maximum);
      const user = await fixtures.person(await fixtures.organization("Acme"));
      for (let count = 1; count < maximum; count++) {
        assert.deepEqual(await guess(fixtures, user, "wrong"), { outcome: "wrong", failedAttempts: count });
      }
      assert.equal((await guess(fixtures, user, password)).outcome, "correct");
      for (let count = 1; count <= maximum; count++) {
        const { blockedBy, ...wrong } = { blockedBy: undefined, ...(await guess(fixtures, user, "wrong")) };
        assert.deepEqual(wrong, { outcome: "wrong", failedAttempts: count });
        assert.equal(blockedBy, count === maximum ? maximum : undefined);
      }
      assert.deepEqual(await guess(fixtures, user, password), { outcome: "blocked", blockedBy: maximum });
    });
  }

  test("without a maximum, guesses are delayed longer and longer, and the password is never blocked (NIST SP 800-63B, A24)", async (t) => {
    const fixtures = await makeWatched(t, open, 0);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    for (const { failures, milliseconds } of guessDelays) {
      await fixtures.database.touch(fixtures.owner, (tx) =>
        tx.run(sql`update users set failed_password_checks = ${failures - 1}, last_password_check_at = null
          where instance_id = ${tx.instanceId}`),
      );
      assert.deepEqual(await guess(fixtures, user, "wrong"), { outcome: "wrong", failedAttempts: failures });
      const evaluated = fixtures.evaluations.count;
      assert.deepEqual(await guess(fixtures, user, password), { outcome: "resting", seconds: milliseconds / 1000 });
      assert.equal(fixtures.evaluations.count, evaluated, "not evaluated");
      assert.equal((await guess(fixtures, user, password, testTime + milliseconds - 1)).outcome, "resting");
      const known = { userId: user.userId, password, knownBy: "a browser", field: "password" };
      assert.equal(
        (await checkPassword(fixtures, fixtures.as([]), known)).outcome,
        "correct",
        "where the user was before",
      );
      assert.equal((await guess(fixtures, user, "wrong", testTime)).outcome, "wrong", "and then for everybody");
    }
  });

  test("wrong guesses of one source slow down that source alone, and an empty password is none (A24, U1)", async (t) => {
    const fixtures = await makeWatched(t, open, 0);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    type Given = { userId?: string | undefined; knownBy?: string; loginName?: string };
    const from = (source: string, text: string, given: Given = {}) =>
      checkPassword(
        fixtures,
        { ...fixtures.as([], { now: testTime }), source },
        { userId: user.userId, password: text, loginName: "ada", field: "password", knownBy: undefined, ...given },
      ).then(
        ({ outcome }) => outcome,
        (error: unknown) => (error instanceof Fault ? `${error.code} ${error.id}` : String(error)),
      );
    const empty = "invalid_argument sign_in.password_missing";
    const slower = "resource_exhausted password.throttled";
    for (const userId of [user.userId, undefined]) {
      for (let count = 0; count < 30; count++) assert.equal(await from("one", "", { userId }), empty);
    }
    assert.equal(fixtures.evaluations.count, 0);
    for (let count = 0; count < 15; count++) assert.equal(await from("one", "wrong"), "wrong");
    assert.equal(await from("one", password), slower);
    assert.equal(fixtures.evaluations.count, 15);
    assert.equal(await from("two", password), "correct");
    assert.equal(await from("one", password, { loginName: "other" }), "resting", "by another name of the user");
    const nobody = { userId: undefined, loginName: "una" };
    for (let count = 0; count < 15; count++) assert.equal(await from("one", "wrong", nobody), "impossible");
    assert.equal(await from("one", "wrong", nobody), slower, "as for somebody");
    const known = { knownBy: "a browser" };
    for (let count = 0; count < 15; count++) assert.equal(await from("one", "wrong", known), "wrong");
    assert.equal(await from("one", password, known), slower, "a known browser cannot guess any number either");
    assert.equal(await from("one", password, { knownBy: "another" }), "correct");
  });

  test("one counter serves every route that checks a password", async (t) => {
    const fixtures = await makeWatched(t, open, 3);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const { userId } = user;
    const call = fixtures.self(user);
    const next = { password: "another long passphrase", isChangeRequired: false };
    const proof = { by: "current_password", password: "wrong" } as const;
    await guess(fixtures, user, "wrong");
    assert.equal(
      await outcomeOf(setPassword(fixtures, call, { userId, password: next, proof })),
      "invalid_argument user.password_wrong",
    );
    assert.equal(
      await outcomeOf(updateUser(fixtures, call, { userId, human: { password: { password: next, proof } } })),
      "invalid_argument user.password_wrong",
    );
    assert.equal(
      await outcomeOf(setPassword(fixtures, call, { userId, password: next, proof: { ...proof, password } })),
      "failed_precondition user.password_blocked",
    );
  });

  test("a blocked password works again when it was set again or unlocked; the user was active all the time", async (t) => {
    const fixtures = await makeWatched(t, open, 1);
    const organization = await fixtures.organization("Acme");
    const [reset, unlocked] = [await fixtures.person(organization), await fixtures.person(organization)];
    for (const user of [reset, unlocked]) {
      await guess(fixtures, user, "wrong");
      assert.equal((await guess(fixtures, user, password)).outcome, "blocked");
    }
    const { userId } = reset;
    const delivery = { by: "return" } as const;
    const { code } = await requestPasswordReset(fixtures, fixtures.owner, { userId, channel: "email", delivery });
    const next = "another long passphrase";
    await setPassword(fixtures, fixtures.as([]), {
      userId,
      password: { password: next, isChangeRequired: false },
      proof: { by: "code", code: code?.reveal() ?? "" },
    });
    assert.equal((await guess(fixtures, reset, next)).outcome, "correct");
    await changeUserState(fixtures, fixtures.owner, { userId: unlocked.userId, move: "unlock" });
    assert.equal((await guess(fixtures, unlocked, password)).outcome, "correct");
  });

  test("a check is an event of the user, but no change of the user", async (t) => {
    const fixtures = await makeWatched(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    await guess(fixtures, user, "wrong", testTime + 1000);
    await guess(fixtures, user, password, testTime + 2000);
    const details = (await findUser(fixtures.database.read, "instance-1", user.userId))?.details;
    assert.deepEqual([details?.sequence, details?.changedAt], [3, testTime]);
  });

  test("right passwords in parallel are all right, however few guesses there are", async (t) => {
    const fixtures = await makeWatched(t, open, 2);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => guess(fixtures, user, password)));
    assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))], ["correct"]);
  });

  test("guesses whose process died count as wrong once they are stale", async (t) => {
    const fixtures = await makeWatched(t, open, 2);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`update users set failed_password_checks = 2, last_password_check_at = ${tx.now}
        where instance_id = ${tx.instanceId}`),
    );
    assert.equal((await guess(fixtures, user, password, testTime + 31_000)).outcome, "blocked");
    assert.equal(fixtures.evaluations.count, 0);
  });

  test("unknown users, service accounts, users without password and inactive users: slow and not evaluated", async (t) => {
    const fixtures = await makeWatched(t, open, 5);
    const organization = await fixtures.organization("Acme");
    const machine = await fixtures.user(organization);
    const without = await fixtures.person(organization, { password: undefined });
    const locked = await fixtures.person(organization);
    await changeUserState(fixtures, fixtures.owner, { userId: locked.userId, move: "lock" });
    const check = (userId: string | undefined) =>
      checkPassword(fixtures, fixtures.as([]), { userId, password, field: "password" });
    assert.deepEqual(await check(undefined), { outcome: "impossible", reason: "unknown" });
    assert.deepEqual(await check("nobody"), { outcome: "impossible", reason: "unknown" });
    assert.deepEqual(await check(machine.userId), { outcome: "impossible", reason: "unknown" });
    assert.deepEqual(await check(without.userId), { outcome: "impossible", reason: "no_password" });
    assert.deepEqual(await check(locked.userId), { outcome: "impossible", reason: "not_active" });
    assert.equal(fixtures.evaluations.count, 0);
  });

  test("the users of an inactive organization cannot sign in with a password (CVE-2026-105213)", async (t) => {
    const fixtures = await makeWatched(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`update organizations set state = 'inactive' where instance_id = ${tx.instanceId}`),
    );
    assert.deepEqual(await guess(fixtures, user, password), { outcome: "impossible", reason: "not_active" });
  });

  test("a password of another system is verified, and stored in our form when it was right", async (t) => {
    const fixtures = await makeWatched(t, open);
    // The lowest cost, so that the test is quick.
    const bcrypt = await hashBcrypt(password, 4);
    const user = await fixtures.person(await fixtures.organization("Acme"), {
      password: { hash: bcrypt, isChangeRequired: true },
    });
    assert.equal((await guess(fixtures, user, "wrong")).outcome, "wrong");
    const outcomes = await Promise.all([guess(fixtures, user, password), guess(fixtures, user, password)]);
    for (const each of outcomes) assert.equal(each.outcome, "correct");
    assert.equal(await changeOf(fixtures, user), "required");
    const [row] = await fixtures.database.read.all<{ hash: string }>(sql`select password_hash as "hash" from users
      where instance_id = ${"instance-1"} and user_id = ${user.userId}`);
    const { memoryCost, timeCost } = cheapPasswords;
    assert.ok(row?.hash?.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$`), row?.hash ?? "none");
    assert.equal((await guess(fixtures, user, password)).outcome, "correct");
  });

  test("a password is expired when it is older than the settings allow, to the millisecond", async (t) => {
    const fixtures = await makeWatched(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
        values (${tx.instanceId}, '', 'password_expiry', ${'{"maxAgeDays":30,"expireWarnDays":0}'}, 1, 1, 1)`),
    );
    const end = testTime + 30 * 86_400_000;
    assert.equal(await changeOf(fixtures, user, end - 1), undefined);
    assert.equal(await changeOf(fixtures, user, end), "expired");
  });

  test("if two callers change a password with the same current one, the second is told that it has changed", async (t) => {
    const fixtures = await makeWatched(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const change = (to: string) =>
      outcomeOf(
        setPassword(fixtures, fixtures.self(user), {
          userId: user.userId,
          password: { password: to, isChangeRequired: false },
          proof: { by: "current_password", password },
        }),
      );
    const outcomes = await Promise.all([change("the first passphrase"), change("the second passphrase")]);
    assert.equal(outcomes.filter((outcome) => outcome === "done").length, 1, outcomes.join());
  });
});
