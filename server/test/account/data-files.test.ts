import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { ownerOf } from "./support/account.ts";

eachServer((start) => {
  test("a user gets a few files of their data at once, and another one some minutes later", async (t) => {
    const server = await start(t);
    const [ada, grace] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "grace" })];
    const owner = await ownerOf(server, ada);
    const body = { list: "SAVED_VIEW_LIST_USERS", name: "Locked", search: "state=blocked" };
    const { token } = await sessionOf(server, ada);
    assert.equal((await server.rest("POST", "/v2/saved_views", { token, body })).status, 201);
    const get = async (by = owner) => await by.send("/ui/account/data", {}, "/export");
    for (let count = 0; count < 3; count++) {
      const { status, html } = await get();
      const { user, savedViews } = JSON.parse(html);
      assert.deepEqual([status, user.userId], [200, ada.userId]);
      assert.deepEqual(
        savedViews.map(({ list, name, search }: Record<string, string>) => [list, name, search]),
        [["users", "Locked", "state=blocked"]],
      );
    }
    const refused = await get();
    assert.equal(refused.status, 429, refused.html);
    assert.match(refused.html, /You downloaded your data a moment ago/);
    const other = await get(await ownerOf(server, grace));
    assert.deepEqual([other.status, JSON.parse(other.html).savedViews], [200, []], "others have their own");
    server.clock.now += minutes(5);
    assert.equal((await get()).status, 200);
    assert.equal((await get()).status, 429);

    // What is read waits for its turn; meanwhile the user is deactivated.
    const { read } = server.app.domain.database;
    const all = read.all.bind(read);
    const reader = t.mock.method(read, "all", async (...[statement]: Parameters<typeof all>) => {
      if (!statement.shape.sqlite.includes("from saved_views")) return all(statement);
      reader.mock.restore();
      const { status } = await server.connect("service.user.v2.UserService/DeactivateUser", { userId: grace.userId });
      assert.equal(status, 200);
      return all(statement);
    });
    const late = await get(await ownerOf(server, grace));
    assert.equal(reader.mock.callCount() > 0, true);
    assert.ok(!late.html.includes("savedViews"), late.html);
  });
});
