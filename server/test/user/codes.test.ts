import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { sendEmailCode, setEmail, setPhone, verifyEmail, verifyPhone } from "../../src/domain/contact/index.ts";
import { createInvitation, verifyInvitation } from "../../src/domain/invitation/index.ts";
import { requestPasswordReset, sendPasswordReset, setPassword } from "../../src/domain/password/index.ts";
import { removePrepared } from "../../src/domain/sign-out/index.ts";
import type { HumanUser } from "../../src/domain/user/index.ts";
import { getUser } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testTime } from "../support/operations/fixtures.ts";
import { makeUserFixtures, outcomeOf, type UserFixtures } from "./support.ts";

const refused = "invalid_argument user.code_invalid";
const returned = { by: "return" } as const;
const address = "code@mail.example";
const number = "+41791234567";
const next = { password: "another long passphrase", isChangeRequired: false } as const;

/** One kind of code: how it is issued and redeemed, how long it lives, and what revokes it. */
interface CodeCase {
  readonly seconds: number;
  issue(fixtures: UserFixtures, user: HumanUser): Promise<{ code?: { reveal(): string } }>;
  redeem(
    fixtures: UserFixtures,
    input: { userId: string; code: string; now?: number; instanceId?: string },
  ): Promise<unknown>;
  takeBack(fixtures: UserFixtures, user: HumanUser): Promise<unknown>;
}

// The code is the permission: any caller who has it may redeem it, so the caller has no role.
const stranger = (fixtures: UserFixtures, given: { now?: number; instanceId?: string }) => fixtures.as([], given);

const cases: Record<string, CodeCase> = {
  email: {
    seconds: 3600,
    issue: (fixtures, { userId }) => setEmail(fixtures, fixtures.owner, { userId, address, verification: returned }),
    redeem: (fixtures, input) => verifyEmail(fixtures, stranger(fixtures, input), input),
    takeBack: (fixtures, { userId }) =>
      setEmail(fixtures, fixtures.owner, { userId, address: "other@mail.example", verification: { by: "nothing" } }),
  },
  phone: {
    seconds: 3600,
    issue: (fixtures, { userId }) => setPhone(fixtures, fixtures.owner, { userId, number, verification: returned }),
    redeem: (fixtures, input) => verifyPhone(fixtures, stranger(fixtures, input), input),
    takeBack: (fixtures, { userId }) =>
      setPhone(fixtures, fixtures.owner, { userId, number: "+41790000000", verification: { by: "nothing" } }),
  },
  "password reset": {
    seconds: 3600,
    issue: (fixtures, { userId }) =>
      requestPasswordReset(fixtures, fixtures.owner, { userId, channel: "email", delivery: returned }),
    redeem: (fixtures, { userId, code, ...given }) =>
      setPassword(fixtures, stranger(fixtures, given), { userId, password: next, proof: { by: "code", code } }),
    takeBack: (fixtures, { userId }) =>
      setEmail(fixtures, fixtures.owner, { userId, address: "other@mail.example", verification: { by: "trust" } }),
  },
  invitation: {
    seconds: 72 * 3600,
    issue: (fixtures, { userId }) => createInvitation(fixtures, fixtures.owner, { userId, delivery: returned }),
    redeem: (fixtures, input) => verifyInvitation({ ...fixtures, removePrepared }, stranger(fixtures, input), input),
    takeBack: (fixtures, { userId }) =>
      setEmail(fixtures, fixtures.owner, { userId, address: "other@mail.example", verification: { by: "nothing" } }),
  },
};

/** Has messages lead to app.example, as an administrator of the instance allows it. */
const trustAppHost = ({ database, owner }: UserFixtures): Promise<unknown> =>
  database.touch(owner, (tx) =>
    tx.run(sql`insert into instance_domains (instance_id, host, is_primary, is_generated, is_trusted, created_at)
      values (${tx.instanceId}, 'app.example', 0, 0, 1, 1)`),
  );

eachEngine((open) => {
  for (const [name, kind] of Object.entries(cases)) {
    test(`${name} code`, async (t) => {
      const fixtures = await makeUserFixtures(t, open);
      const organization = await fixtures.organization("Acme");
      const setUp = async () => {
        const person = () =>
          fixtures.person(organization, {
            email: { address, isVerified: false },
            username: `user-${fixtures.newId()}`,
            password: undefined,
          });
        const user = await person();
        const issue = async () => (await kind.issue(fixtures, user)).code?.reveal() ?? "";
        const redeem = (code: string, given: { userId?: string; now?: number; instanceId?: string } = {}) =>
          outcomeOf(kind.redeem(fixtures, { userId: user.userId, code, ...given }));
        return { user, person, issue, redeem };
      };

      await t.test("works once", async () => {
        const { issue, redeem } = await setUp();
        const code = await issue();
        assert.match(code, /^[A-HJ-NP-Z2-9]{6}$/);
        assert.equal(await redeem(code), "done");
        assert.equal(await redeem(code), refused);
      });

      await t.test("of 50 parallel redemptions exactly one succeeds", async () => {
        const { issue, redeem } = await setUp();
        const code = await issue();
        const outcomes = await Promise.all(Array.from({ length: 50 }, () => redeem(code)));
        assert.equal(outcomes.filter((outcome) => outcome === "done").length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === refused).length, 49);
      });

      await t.test("expires exactly on time", async () => {
        const { issue, redeem } = await setUp();
        const code = await issue();
        const end = testTime + kind.seconds * 1000;
        assert.equal(await redeem(code, { now: end + 1000 }), refused);
        assert.equal(await redeem(code, { now: end }), refused);
        assert.equal(await redeem(code, { now: end - 1 }), "done");
      });

      await t.test("belongs to its user, its instance and its kind", async () => {
        const { user, person, issue, redeem } = await setUp();
        const code = await issue();
        const other = await person();
        await kind.issue(fixtures, other);
        assert.equal(await redeem(code, { userId: other.userId }), refused);
        assert.equal(await redeem(code, { userId: "nobody" }), refused);
        assert.equal(await redeem(code, { instanceId: "instance-2" }), refused);
        for (const [otherName, otherKind] of Object.entries(cases)) {
          if (otherName === name) continue;
          assert.equal(await outcomeOf(otherKind.redeem(fixtures, { userId: user.userId, code })), refused, otherName);
        }
        assert.equal(await redeem(code), "done");
      });

      await t.test("nothing that looks like it works", async () => {
        const { issue, redeem } = await setUp();
        const code = await issue();
        const last = code.endsWith("A") ? "B" : "A";
        for (const wrong of [code.slice(0, -1), code.slice(0, -1) + last, code.toLowerCase(), `${code} `]) {
          if (wrong !== code) assert.equal(await redeem(wrong), refused, wrong);
        }
        assert.equal(await redeem(code), "done");
      });

      await t.test("a newer one invalidates it", async () => {
        const { issue, redeem } = await setUp();
        const [first, second] = [await issue(), await issue()];
        if (first !== second) assert.equal(await redeem(first), refused);
        assert.equal(await redeem(second), "done");
      });

      await t.test("a change of what it is bound to invalidates it", async () => {
        const { user, issue, redeem } = await setUp();
        const code = await issue();
        await kind.takeBack(fixtures, user);
        assert.equal(await redeem(code), refused);
      });

      await t.test("five wrong guesses invalidate it, even if 60 come at once", async () => {
        const { issue, redeem } = await setUp();
        const code = await issue();
        const guesses = await Promise.all(Array.from({ length: 60 }, (_, index) => redeem(`WRONG${index}`)));
        assert.ok(guesses.every((outcome) => outcome === refused));
        assert.equal(await redeem(code), refused);
        const newer = await issue();
        for (let guess = 0; guess < 4; guess++) await redeem("WRONG");
        assert.equal(await redeem(newer), "done");
      });

      await t.test("neither it nor its components are stored in clear text", async () => {
        const { user, issue } = await setUp();
        const code = await issue();
        const rows = await fixtures.database.read.all(
          sql`select * from one_time_secrets where instance_id = ${"instance-1"}`,
        );
        const events = await fixtures.database.read.all(
          sql`select payload from events where instance_id = ${"instance-1"}`,
        );
        assert.ok(rows.length > 0 && events.length > 0);
        assert.ok(!JSON.stringify([rows, events]).includes(code));
        assert.ok(JSON.stringify(events).includes(user.username));
      });
    });
  }

  test("a code that is sent waits in the outbox, encrypted, and is not returned", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"), { email: { address, isVerified: false } });
    await trustAppHost(fixtures);
    const urlTemplate = "https://app.example/verify?user={{.UserID}}&code={{.Code}}";
    const sent = await sendEmailCode(fixtures, fixtures.owner, {
      userId: user.userId,
      delivery: { by: "message", urlTemplate },
      isAgain: false,
    });
    assert.equal(sent.code, undefined);
    const [message, ...rest] = await fixtures.messages(user);
    assert.deepEqual(rest, []);
    assert.equal(message?.kind, "email_verification");
    assert.equal(message?.recipient, address);
    const stored = await fixtures.database.read.all(
      sql`select * from notifications where instance_id = ${"instance-1"}`,
    );
    assert.ok(!JSON.stringify(stored).includes(message?.code ?? "?"));
    const input = { userId: user.userId, code: message?.code ?? "" };
    assert.equal(await outcomeOf(verifyEmail(fixtures, fixtures.self(user), input)), "done");
    assert.equal(((await getUser(fixtures, fixtures.owner, user)) as HumanUser).email.isVerified, true);
  });

  test("a code that is sent again supersedes the message before and keeps its link", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"), { email: { address, isVerified: false } });
    await trustAppHost(fixtures);
    const urlTemplate = "https://app.example/verify?code={{.Code}}";
    const again = (isAgain: boolean, template?: string) =>
      sendEmailCode(fixtures, fixtures.owner, {
        userId: user.userId,
        delivery: { by: "message", urlTemplate: template },
        isAgain,
      });
    assert.equal(await outcomeOf(again(true)), "failed_precondition user.code_absent");
    await again(false, urlTemplate);
    await again(true);
    const rows = await fixtures.database.read.all<{ state: string; bound: string }>(sql`select n.state, s.bound
      from notifications n join one_time_secrets s on s.instance_id = n.instance_id and s.subject_id = n.user_id
      where n.instance_id = ${"instance-1"} order by n.notification_id`);
    assert.deepEqual(
      rows.map(({ state }) => state),
      ["superseded", "queued"],
    );
    assert.equal(JSON.parse(rows[1]?.bound ?? "{}").urlTemplate, urlTemplate);
  });

  test("a link that is not a web address or has unknown placeholders is refused", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"), { email: { address, isVerified: false } });
    for (const urlTemplate of [
      "javascript:alert(1)",
      "/relative",
      "https://a.example/{{.Password}}",
      "https://u:p@a.example/",
    ]) {
      const work = sendEmailCode(fixtures, fixtures.owner, {
        userId: user.userId,
        delivery: { by: "message", urlTemplate },
        isAgain: false,
      });
      assert.equal(await outcomeOf(work), "invalid_argument notification.url_template_invalid", urlTemplate);
    }
    assert.deepEqual(await fixtures.messages(user), []);
  });

  test("the sign-in page sends a reset to proven addresses only, and not again within a minute", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const proven = await fixtures.person(organization);
    const unproven = await fixtures.person(organization, { email: { address, isVerified: false } });
    const { caller: _, ...call } = fixtures.owner;
    for (const userId of [proven.userId, proven.userId, unproven.userId, "nobody"]) {
      await sendPasswordReset(fixtures, call, { userId, attemptId: userId });
    }
    const [message] = await fixtures.messages(proven);
    assert.equal((await fixtures.messages(proven)).length, 1);
    assert.equal((await fixtures.messages(unproven)).length, 0);
    const attempt = { userId: proven.userId, attemptId: proven.userId };
    await sendPasswordReset(fixtures, { ...call, now: call.now + 60_000 }, attempt);
    const [newer] = await fixtures.messages(proven);
    assert.notEqual(newer?.code, message?.code);
  });

  test("setting a password with a code tells the user, and keeps the code when the password is refused", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const { userId } = user;
    const { code } = await requestPasswordReset(fixtures, fixtures.owner, {
      userId,
      channel: "email",
      delivery: returned,
    });
    const set = (password: string) =>
      outcomeOf(
        setPassword(fixtures, fixtures.as([]), {
          userId,
          password: { password, isChangeRequired: false },
          proof: { by: "code", code: code?.reveal() ?? "" },
        }),
      );
    assert.equal(await set("short"), "invalid_argument user.password_too_short");
    assert.equal(await set("Password2026!"), "invalid_argument user.password_common");
    assert.equal(await set("long enough for this"), "done");
    assert.deepEqual(
      (await fixtures.messages(user)).map(({ kind }) => kind),
      ["password_changed"],
    );
  });
});
