import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { ownerOf } from "./support/account.ts";

eachServer((start) => {
  test("a user gets a few files of their data at once, and another one some minutes later", async (t) => {
    const server = await start(t);
    const [ada, grace] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "grace" })];
    const owner = await ownerOf(server, ada);
    const get = async (by = owner) => await by.send("/ui/account/data", {}, "/export");
    for (let count = 0; count < 3; count++) {
      const { status, html } = await get();
      assert.deepEqual([status, JSON.parse(html).user.userId], [200, ada.userId]);
    }
    const refused = await get();
    assert.equal(refused.status, 429, refused.html);
    assert.match(refused.html, /You downloaded your data a moment ago/);
    assert.equal((await get(await ownerOf(server, grace))).status, 200, "others have their own");
    server.clock.now += minutes(5);
    assert.equal((await get()).status, 200);
    assert.equal((await get()).status, 429);
  });
});
