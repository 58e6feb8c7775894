import assert from "node:assert/strict";
import { test } from "node:test";
import { onPostgres } from "../support/databases/databases.ts";
import { noteLocks } from "../support/databases/noted-locks.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";

// Turns are entries of the server's lock table, whose size is fixed: with one for each organization, the change was
// refused for good where there were more than about 12,000.
onPostgres(() => {
  test("a change of the rule for names takes as many turns with many organizations as with one", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const noted = noteLocks();
    const change = async (userLoginMustBeDomain: boolean): Promise<number> => {
      const before = noted.units.length;
      const body = { userLoginMustBeDomain, validateOrgDomains: false };
      assert.equal((await server.rest("PUT", "/admin/v1/policies/domain", { body })).status, 200);
      const turns = noted.units
        .slice(before)
        .map(({ locks }) => locks.filter(({ of }) => of === "organization").length);
      return Math.max(...turns);
    };
    const users: string[] = [];
    const add = async (name: string) => {
      const organizationId = await addOrganization(server, name);
      users.push((await addPerson(server, { username: `user-of-${name}`, organizationId })).userId);
    };
    await add("first");
    const one = await change(true);

    for (let count = 0; count < 5; count++) await add(`other-${count}`);
    await change(false);
    const names = async () => {
      const all = users.map((userId) => server.connect("service.user.v2.UserService/GetUserByID", { userId }));
      return (await Promise.all(all)).map(({ body }) => body.user.preferredLoginName as string);
    };
    const former = await names();
    assert.equal(await change(true), one);
    assert.notDeepEqual(await names(), former);
  });
});
