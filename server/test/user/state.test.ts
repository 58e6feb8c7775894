import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { changeUserState, findUser, type UserMove, type UserState } from "../../src/domain/user/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserFixtures, outcomeOf } from "./support.ts";

// Every state and every move: where it leads, or why it is refused.
const table: Record<UserState, Record<UserMove, UserState | `user.${string}`>> = {
  active: { deactivate: "inactive", reactivate: "user.not_inactive", lock: "locked", unlock: "user.not_locked" },
  inactive: {
    deactivate: "user.not_deactivatable",
    reactivate: "active",
    lock: "user.not_lockable",
    unlock: "user.not_locked",
  },
  locked: { deactivate: "inactive", reactivate: "user.not_inactive", lock: "user.not_lockable", unlock: "active" },
  initial: {
    deactivate: "user.not_deactivatable",
    reactivate: "user.not_inactive",
    lock: "locked",
    unlock: "user.not_locked",
  },
};

eachEngine((open) => {
  test("every transition is possible only from its source states and leads to its target state", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    for (const [state, moves] of Object.entries(table)) {
      for (const [move, expected] of Object.entries(moves)) {
        const { userId } = await fixtures.person(organization);
        await fixtures.database.touch(fixtures.owner, (tx) =>
          tx.run(sql`update users set state = ${state} where instance_id = ${tx.instanceId} and user_id = ${userId}`),
        );
        const outcome = await outcomeOf(
          changeUserState(fixtures, fixtures.manager(organization), { userId, move: move as UserMove }),
        );
        const user = await findUser(fixtures.database.read, fixtures.owner.instanceId, userId);
        const isRefused = expected.startsWith("user.");
        assert.equal(outcome, isRefused ? `failed_precondition ${expected}` : "done", `${state} ${move}`);
        assert.equal(user?.state, isRefused ? state : expected, `${state} ${move}`);
        assert.equal(user?.details.sequence, isRefused ? 1 : 2, `${state} ${move}`);
      }
    }
  });

  test("service accounts have the same states as human users", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.user(await fixtures.organization("Acme"));
    const details = await changeUserState(fixtures, fixtures.owner, { userId, move: "lock" });
    assert.equal(details.sequence, 2);
    assert.equal((await findUser(fixtures.database.read, fixtures.owner.instanceId, userId))?.state, "locked");
  });

  test("of parallel transitions from one state exactly one succeeds", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.person(await fixtures.organization("Acme"));
    const moves = Array.from({ length: 20 }, () =>
      outcomeOf(changeUserState(fixtures, fixtures.owner, { userId, move: "deactivate" })),
    );
    assert.equal((await Promise.all(moves)).filter((outcome) => outcome === "done").length, 1);
  });
});
