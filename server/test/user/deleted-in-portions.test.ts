import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { type Database, sql } from "../../src/database/index.ts";
import { loadAccess } from "../../src/domain/administrator-access/index.ts";
import { deleteUser } from "../../src/domain/deletion/index.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

// More than two units of work take away.
const many = 220;

/** The call of a user with the roles that they have. */
async function callOf(
  server: TestServer,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<Call> {
  const { domain } = server.app;
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const access = await loadAccess(domain.database.read, instanceId, userId);
  const caller = { userId, organizationId, access };
  return { instanceId, requestId: "deletion", now: domain.clock(), language: "en", caller };
}

/** Gives a user roles in projects of another organization, as rows. */
async function assignMany(server: TestServer, { userId, organizationId }: Person, call: Call): Promise<void> {
  await server.app.domain.database.touch(call, async (tx) => {
    await tx.run(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id, organization_id,
        project_grant_id, state, sequence, created_at, changed_at, user_organization_id)
      with recursive series(n) as (select 1 union all select n + 1 from series where n < ${many})
      select ${tx.instanceId}, ${userId} || '-' || n, ${userId}, '', 'p' || n, 'evil', '', 'active', 1, n, n, ${organizationId}
      from series`);
  });
}

async function countAssigned(database: Database, { instanceId }: Call, userId: string): Promise<number> {
  const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from authorizations
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return Number(row?.count);
}

eachServer((start) => {
  test("a user with very many role assignments loses all access before the first of them goes", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const bank = await addOwnedOrganization(server, "Bank");
    const ivy = await addPerson(server, { username: "ivy", organizationId: bank.organizationId });
    await appoint(server, ivy, { organizationId: bank.organizationId }, ["ORG_USER_MANAGER"]);
    const clerk = await addPerson(server, { username: "clerk", organizationId: bank.organizationId });
    const { token } = await sessionOf(server, ivy);
    const act = async (): Promise<number> => {
      const body = { userId: clerk.userId, metadata: [{ key: "k", value: "YQ==" }] };
      return (await server.connect("service.user.v2.UserService/SetUserMetadata", body, { token })).status;
    };
    const call = await callOf(server, bank);
    await assignMany(server, ivy, call);
    assert.equal(await act(), 200);

    // The deletion fails behind the portions.
    const failure = new Error("no more");
    const failing: Pick<Database, "change" | "read"> = {
      read: database.read,
      change: (own, work) =>
        database.change(own, async (tx) => {
          if ((await countAssigned(database, call, ivy.userId)) === 0) throw failure;
          return work(tx);
        }),
    };
    await assert.rejects(deleteUser({ database: failing as Database }, call, { userId: ivy.userId }), failure);
    assert.equal(await act(), 401);
    const events = await database.read.all<{ type: string }>(sql`select type from events
      where instance_id = ${call.instanceId} and request_id = ${call.requestId} order by position`);
    const types = events.map(({ type }) => type);
    const first = types.indexOf("authorization.deleted");
    assert.equal(types[0], "user.locked");
    assert.ok(types.indexOf("session.terminated") < first, "the session ends first");
    assert.equal(types.filter((type) => type === "authorization.deleted").length, many);

    // It is repeated.
    const answer = await server.connect(
      "service.user.v2.UserService/DeleteUser",
      { userId: ivy.userId },
      { token: bank.token },
    );
    assert.equal(answer.status, 200);
  });

  test("users with very many role assignments may delete themselves", async (t) => {
    const server = await start(t);
    const bank = await addOwnedOrganization(server, "Bank");
    const joe = await addPerson(server, { username: "joe", organizationId: bank.organizationId });
    await appoint(server, joe, { organizationId: bank.organizationId }, ["ORG_USER_SELF_MANAGER"]);
    const { token } = await sessionOf(server, joe);
    await assignMany(server, joe, await callOf(server, joe));
    const remove = () => server.connect("service.user.v2.UserService/DeleteUser", { userId: joe.userId }, { token });
    const answer = await remove();
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal((await remove()).status, 401);
  });
});
