import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { changeUserState, findUser, type UserMove, type UserState } from "../../src/domain/user/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserWorld, outcomeOf } from "./support.ts";

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
    const world = await makeUserWorld(t, open);
    const organization = await world.organization("Acme");
    for (const [state, moves] of Object.entries(table)) {
      for (const [move, expected] of Object.entries(moves)) {
        const { userId } = await world.person(organization);
        await world.database.touch(world.owner, (tx) =>
          tx.run(sql`update users set state = ${state} where instance_id = ${tx.instanceId} and user_id = ${userId}`),
        );
        const outcome = await outcomeOf(
          changeUserState(world, world.manager(organization), { userId, move: move as UserMove }),
        );
        const user = await findUser(world.database.read, world.owner.instanceId, userId);
        const isRefused = expected.startsWith("user.");
        assert.equal(outcome, isRefused ? `failed_precondition ${expected}` : "done", `${state} ${move}`);
        assert.equal(user?.state, isRefused ? state : expected, `${state} ${move}`);
        assert.equal(user?.details.sequence, isRefused ? 1 : 2, `${state} ${move}`);
      }
    }
  });

  test("service accounts have the same states as human users", async (t) => {
    const world = await makeUserWorld(t, open);
    const { userId } = await world.user(await world.organization("Acme"));
    const details = await changeUserState(world, world.owner, { userId, move: "lock" });
    assert.equal(details.sequence, 2);
    assert.equal((await findUser(world.database.read, world.owner.instanceId, userId))?.state, "locked");
  });

  test("of parallel transitions from one state exactly one succeeds", async (t) => {
    const world = await makeUserWorld(t, open);
    const { userId } = await world.person(await world.organization("Acme"));
    const moves = Array.from({ length: 20 }, () =>
      outcomeOf(changeUserState(world, world.owner, { userId, move: "deactivate" })),
    );
    assert.equal((await Promise.all(moves)).filter((outcome) => outcome === "done").length, 1);
  });
});
