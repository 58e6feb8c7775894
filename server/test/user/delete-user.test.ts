import assert from "node:assert/strict";
import { test } from "node:test";
import { hashSecret } from "../../src/base/secret.ts";
import { sql } from "../../src/database/index.ts";
import { setEmail } from "../../src/domain/contact/index.ts";
import { addPersonalAccessToken, findPersonalAccessToken } from "../../src/domain/credential/index.ts";
import { deleteUser } from "../../src/domain/deletion/index.ts";
import { findUserByLoginName } from "../../src/domain/login-name/index.ts";
import { addMembership } from "../../src/domain/membership/index.ts";
import { endPreparedSessions } from "../../src/domain/sign-out/index.ts";
import { changeUserState, findUser, setUserMetadata } from "../../src/domain/user/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserFixtures, outcomeOf, type UserFixtures } from "./support.ts";

/** Returns the tables that still contain a user. */
async function traces(fixtures: UserFixtures, userId: string): Promise<string[]> {
  const found: string[] = [];
  const counts = {
    users: sql`select 1 from users where instance_id = ${"instance-1"} and user_id = ${userId}`,
    user_keys: sql`select 1 from user_keys where instance_id = ${"instance-1"} and user_id = ${userId}`,
    user_avatars: sql`select 1 from user_avatars where instance_id = ${"instance-1"} and user_id = ${userId}`,
    personal_access_tokens: sql`select 1 from personal_access_tokens where instance_id = ${"instance-1"} and user_id = ${userId}`,
    memberships: sql`select 1 from memberships where instance_id = ${"instance-1"} and user_id = ${userId}`,
    membership_roles: sql`select 1 from membership_roles where instance_id = ${"instance-1"} and user_id = ${userId}`,
    authorizations: sql`select 1 from authorizations where instance_id = ${"instance-1"} and user_id = ${userId}`,
    notifications: sql`select 1 from notifications where instance_id = ${"instance-1"} and user_id = ${userId}`,
    sign_ins: sql`select 1 from sign_ins where instance_id = ${"instance-1"} and user_id = ${userId}`,
    metadata: sql`select 1 from metadata where instance_id = ${"instance-1"} and owner_id = ${userId}`,
    one_time_secrets: sql`select 1 from one_time_secrets where instance_id = ${"instance-1"} and subject_id = ${userId}`,
    sessions: sql`select 1 from sessions where instance_id = ${"instance-1"} and user_id = ${userId} and terminated_at is null`,
    token_families: sql`select 1 from token_families where instance_id = ${"instance-1"} and user_id = ${userId} and revoked_at is null`,
  };
  for (const [table, statement] of Object.entries(counts)) {
    if ((await fixtures.database.read.all(statement)).length > 0) found.push(table);
  }
  return found;
}

eachEngine((open) => {
  const setUp = async (t: Parameters<typeof makeUserFixtures>[0]) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    // Changes of owners lock the row of the instance.
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id, system_project_id, sequence,
          created_at, changed_at)
        values (${tx.instanceId}, 'Test', 'active', 'en', ${organization.organizationId}, 'p', 1, 1, 1)`),
    );
    const own = async ({ userId }: { userId: string }, role: string) => {
      const scope = { level: "instance", resourceId: "instance-1", ownerId: "instance-1" } as const;
      await fixtures.database.change(fixtures.owner, (tx) =>
        addMembership(tx, { endPreparedSessions }, scope, { userId, roles: [role] }),
      );
    };
    // One user stays owner, so that the others can be deleted.
    await own(await fixtures.user(organization, "root"), "IAM_OWNER");
    return { fixtures, organization, own };
  };

  test("what is deleted is gone from everywhere at once, and its names are free", async (t) => {
    const { fixtures, organization, own } = await setUp(t);
    const user = await fixtures.person(organization, {
      username: "jane",
      phone: { number: "+41791234567", isVerified: true },
    });
    const { userId } = user;
    await own(user, "IAM_OWNER_VIEWER");
    await setUserMetadata(fixtures, fixtures.owner, {
      userId,
      metadata: [{ key: "plan", value: Buffer.from("gold") }],
    });
    await setEmail(fixtures, fixtures.owner, { userId, address: "new@mail.example", verification: { by: "message" } });
    await fixtures.database.touch(fixtures.owner, async (tx) => {
      await tx.run(sql`insert into sessions (instance_id, session_id, token_hash, user_id, organization_id, creator_id, factors, metadata,
          user_agent, sequence, created_at, changed_at)
        values (${tx.instanceId}, 's1', 'h', ${userId}, ${organization.organizationId}, 'c', '{}', '{}', '{}', 1, 1, 1)`);
      await tx.run(sql`insert into token_families (instance_id, family_id, client_id, user_id, scope, audience,
          authentication_methods, created_at, expires_at, sequence)
        values (${tx.instanceId}, 'f1', 'c', ${userId}, '', '', '', 1, 2, 1)`);
      await tx.run(sql`insert into sign_ins (instance_id, browser_hash, auth_request_id, state, login_name, user_id, factors,
          expires_at)
        values (${tx.instanceId}, 'b', '', 'identified', 'jane', ${userId}, '{}', 1)`);
      await tx.run(sql`insert into authorizations (instance_id, authorization_id, user_id, project_id, organization_id,
          project_grant_id, state, sequence, created_at, changed_at)
        values (${tx.instanceId}, 'a1', ${userId}, 'p', ${organization.organizationId}, '', 'active', 1, 1, 1)`);
    });
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`insert into user_avatars (instance_id, user_id, file_name, content_type, content, created_at)
        values (${tx.instanceId}, ${userId}, 'n.png', 'image/png', '', 1)`),
    );
    assert.deepEqual((await traces(fixtures, userId)).length, 11);
    await deleteUser(fixtures, fixtures.manager(organization), { userId }).then(
      () => assert.fail("a manager of users deletes no viewer of the instance"),
      (error: { id?: string }) => assert.equal(error.id, "user.administers_more"),
    );
    await deleteUser(fixtures, fixtures.owner, { userId });
    assert.deepEqual(await traces(fixtures, userId), []);
    assert.equal(await findUserByLoginName(fixtures.database.read, "instance-1", "jane@acme.example.com"), undefined);
    assert.equal(await outcomeOf(deleteUser(fixtures, fixtures.owner, { userId })), "not_found user.not_found");
    const again = await fixtures.person(organization, { username: "jane" });
    assert.notEqual(again.userId, userId);
    const types = await fixtures.database.read.all<{ type: string }>(sql`select type from events
      where instance_id = ${"instance-1"} and request_id = ${"request-1"} order by position`);
    for (const type of [
      "user.deleted",
      "session.terminated",
      "token_family.revoked",
      "authorization.deleted",
      "membership.deleted",
    ]) {
      assert.ok(
        types.some((event) => event.type === type),
        type,
      );
    }
  });

  test("a token of a deleted account no longer works", async (t) => {
    const { fixtures, organization } = await setUp(t);
    const { userId } = await fixtures.user(organization);
    const { token } = await addPersonalAccessToken(fixtures, fixtures.owner, { userId });
    await deleteUser(fixtures, fixtures.owner, { userId });
    assert.equal(
      await findPersonalAccessToken(fixtures.database.read, "instance-1", { tokenHash: hashSecret(token) }),
      undefined,
    );
  });

  test("the id of a deleted user is never given again, in no organization (A9, CVE-2026-55670)", async (t) => {
    const { fixtures, organization } = await setUp(t);
    const other = await fixtures.organization("Other");
    const taken = "already_exists user.id_taken";
    await fixtures.person(organization, { userId: "chosen", username: "first" });
    assert.equal(await outcomeOf(fixtures.person(other, { userId: "chosen", username: "second" })), taken);
    await deleteUser(fixtures, fixtures.owner, { userId: "chosen" });
    for (const home of [organization, other]) {
      assert.equal(await outcomeOf(fixtures.person(home, { userId: "chosen", username: "second" })), taken);
    }
    const again = await fixtures.person(other, { username: "second" });
    assert.equal(again.details.sequence, 1, "no history of another");
    const call = fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organization.organizationId }]);
    assert.equal(await outcomeOf(deleteUser(fixtures, call, { userId: "chosen" })), "not_found user.not_found");
  });

  test("the last owner of the instance stays; if two are deleted at once, one remains", async (t) => {
    const { fixtures, organization, own } = await setUp(t);
    const { userId } = (await findUserByLoginName(fixtures.database.read, "instance-1", "root")) ?? { userId: "" };
    const remove = (id: string) => outcomeOf(deleteUser(fixtures, fixtures.owner, { userId: id }));
    assert.equal(await remove(userId), "failed_precondition membership.last_owner");
    assert.notEqual(await findUser(fixtures.database.read, "instance-1", userId), undefined);
    const second = await fixtures.user(organization);
    await own(second, "IAM_OWNER");
    const outcomes = await Promise.all([remove(userId), remove(second.userId)]);
    assert.deepEqual(outcomes.toSorted(), ["done", "failed_precondition membership.last_owner"]);
  });

  test("the last owner of the instance is neither deactivated nor locked", async (t) => {
    const { fixtures, organization, own } = await setUp(t);
    const { userId } = (await findUserByLoginName(fixtures.database.read, "instance-1", "root")) ?? { userId: "" };
    const move = (move: "deactivate" | "lock" | "unlock", id = userId) =>
      outcomeOf(changeUserState(fixtures, fixtures.owner, { userId: id, move }));
    assert.equal(await move("deactivate"), "failed_precondition membership.last_owner");
    assert.equal(await move("lock"), "failed_precondition membership.last_owner");
    const second = await fixtures.user(organization);
    await own(second, "IAM_OWNER");
    assert.equal(await move("lock"), "done");
    assert.equal(await move("deactivate", second.userId), "failed_precondition membership.last_owner");
    assert.equal(await move("unlock"), "done");
    assert.equal(await move("deactivate", second.userId), "done");
  });

  test("users delete themselves only where they have the permission to", async (t) => {
    const { fixtures, organization } = await setUp(t);
    const { organizationId: resourceId } = organization;
    const remove = (user: { userId: string; organizationId: string }, roles: readonly string[], isFresh = true) => {
      const held = roles.map((role) => ({ role, level: "organization", resourceId }) as const);
      const { caller, ...call } = fixtures.as(held, user);
      assert.ok(caller);
      return outcomeOf(
        deleteUser(fixtures, { ...call, caller: { ...caller, ...(isFresh && { isProven: true }) } }, user),
      );
    };
    assert.equal(await remove(await fixtures.person(organization), []), "permission_denied permission.missing");
    const late = await fixtures.person(organization);
    assert.equal(await remove(late, ["ORG_USER_SELF_MANAGER"], false), "permission_denied authentication.too_old");
    assert.equal(await remove(late, ["ORG_USER_SELF_MANAGER"]), "done");
    assert.equal(await remove(await fixtures.person(organization), ["ORG_USER_MANAGER"]), "done");
    const other = await fixtures.person(organization);
    const self = fixtures.as([{ role: "ORG_USER_SELF_MANAGER", level: "organization", resourceId }], {
      userId: "self",
    });
    assert.equal(await outcomeOf(deleteUser(fixtures, self, other)), "not_found user.not_found");
  });

  test("nothing is given to a user who is being deleted", async (t) => {
    const { fixtures, organization } = await setUp(t);
    const { userId } = await fixtures.user(organization);
    const work = Array.from({ length: 10 }, () =>
      outcomeOf(addPersonalAccessToken(fixtures, fixtures.owner, { userId })),
    );
    const [deleted, ...added] = await Promise.all([
      outcomeOf(deleteUser(fixtures, fixtures.owner, { userId })),
      ...work,
    ]);
    assert.equal(deleted, "done");
    assert.ok(added.every((outcome) => outcome === "done" || outcome === "not_found user.not_found"));
    assert.deepEqual(await traces(fixtures, userId), []);
  });
});
