import assert from "node:assert/strict";
import { test } from "node:test";
import { eachServer } from "../support/each-server.ts";
import { addPerson, defaultOrganization } from "../support/people.ts";

const is = (value: object, method = "EQUALS") => ({ ...value, method: `TEXT_QUERY_METHOD_${method}` });

eachServer((start) => {
  test("both generations find the same users by the same conditions", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const made = await server.connect("service.user.v2.UserService/CreateUser", {
      ...{ organizationId, username: "robot", machine: { name: "Robot" } },
    });
    const robot: string = made.body.id;
    await server.connect("service.user.v2.UserService/DeactivateUser", { userId: bob.userId });
    const people = { inUserIdsQuery: { userIds: [ada.userId, bob.userId, robot] } };
    const name = { userNameQuery: is({ userName: "ada" }) };
    const cases: readonly [object, string[]][] = [
      [name, ["ada"]],
      [{ firstNameQuery: is({ firstName: "B" }, "STARTS_WITH_IGNORE_CASE") }, ["bob"]],
      [{ lastNameQuery: is({ lastName: "Example" }) }, ["ada", "bob"]],
      [{ nickNameQuery: is({ nickName: "none" }) }, []],
      [{ displayNameQuery: is({ displayName: "Robot" }) }, ["robot"]],
      [{ emailQuery: is({ emailAddress: "bob@" }, "STARTS_WITH") }, ["bob"]],
      [{ loginNameQuery: is({ loginName: ada.loginName }) }, ["ada"]],
      [{ stateQuery: { state: "USER_STATE_INACTIVE" } }, ["bob"]],
      [{ typeQuery: { type: "TYPE_MACHINE" } }, ["robot"]],
      [{ typeQuery: { type: "TYPE_HUMAN" } }, ["ada", "bob"]],
      [{ inUserEmailsQuery: { userEmails: ["ada@mail.example", "nobody@mail.example"] } }, ["ada"]],
      [{ andQuery: { queries: [name, { typeQuery: { type: "TYPE_MACHINE" } }] } }, []],
      [{ orQuery: { queries: [name, { typeQuery: { type: "TYPE_MACHINE" } }] } }, ["ada", "robot"]],
      [{ notQuery: { query: { orQuery: { queries: [name] } } } }, ["bob", "robot"]],
    ];
    const lists = { "/management/v1/users/_search": "userName", "/v2/users": "username" } as const;
    for (const [path, field] of Object.entries(lists)) {
      for (const [condition, expected] of cases) {
        const { status, body } = await server.rest("POST", path, {
          body: { sortingColumn: "USER_FIELD_NAME_USER_NAME", query: { asc: true }, queries: [people, condition] },
        });
        assert.equal(status, 200, JSON.stringify(body));
        const found = (body.result ?? []).map((user: Record<string, string>) => user[field]);
        assert.deepEqual(found, expected, `${path} ${JSON.stringify(condition)}`);
      }
      for (const invalid of [
        {},
        { typeQuery: {} },
        { stateQuery: {} },
        { notQuery: {} },
        { orQuery: { queries: [{}] } },
      ]) {
        const { status, body } = await server.rest("POST", path, { body: { queries: [invalid] } });
        assert.deepEqual([status, body.details[0].id], [400, "filter.invalid"], JSON.stringify(invalid));
      }
    }
  });
});
