import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson } from "../support/people/people.ts";

const service = "service.group.v2.GroupService";

enginesInTurn((engine, test) => {
  test("a user is in at most 1,000 groups, which are all asked for roles with each token", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId } = server;
    const [full, other] = [
      await addPerson(server, { username: "full" }),
      await addPerson(server, { username: "other" }),
    ];
    const group = async (name: string): Promise<string> =>
      (await server.connect(`${service}/CreateGroup`, { organizationId, name })).body.id;
    const [last, beyond] = [await group("last"), await group("beyond")];
    const { database, clock, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    await database.touch(testCall({ instanceId, now: clock() }), async (tx) => {
      await tx.run(sql`insert into user_group_members (instance_id, group_id, user_id, created_at)
        with recursive series(i) as (select 1 union all select i + 1 from series where i < 999)
        select u.instance_id, 'group-' || cast(i as text), u.user_id, 1 from series, users u
        where u.instance_id = ${instanceId} and u.user_id = ${full.userId}`);
    });
    const add = async (id: string, ...userIds: string[]) => {
      const { status, body } = await server.connect(`${service}/AddUsersToGroup`, { id, userIds });
      return status === 200 ? "added" : `${body.code} ${body.message}`;
    };
    const members = async (id: string): Promise<string[]> => {
      const filters = [{ groupIds: { ids: [id] } }];
      const { body } = await server.connect(`${service}/ListGroupUsers`, { filters });
      return (body.groupUsers ?? []).map(({ user }: { user: { id: string } }) => user.id);
    };
    assert.equal(await add(last, full.userId), "added", "the thousandth");
    assert.match(await add(beyond, other.userId, full.userId), /^failed_precondition .*1,?000/);
    assert.deepEqual(await members(beyond), [], "nobody was added");
    assert.equal(await add(last, full.userId, other.userId), "added", "who is in it already takes no room");
    assert.equal(await add(beyond, other.userId), "added");
  });
});
