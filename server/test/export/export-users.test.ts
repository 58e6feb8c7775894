import assert from "node:assert/strict";
import { test } from "node:test";
import { csvRecord } from "../../src/base/csv.ts";
import type { Fault } from "../../src/base/fault.ts";
import { loadAccess } from "../../src/domain/administrator-access/index.ts";
import { listUsersAfter } from "../../src/domain/user-search/index.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const csv = "EXPORT_FORMAT_CSV";
const lines = "EXPORT_FORMAT_JSON_LINES";

async function exportUsers(server: TestServer, token: string, body: object): Promise<string> {
  let content = "";
  let pageToken = "";
  do {
    const answer = await server.rest("POST", "/v2/exports/users", { token, body: { ...body, pageToken } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    content += answer.body.content ?? "";
    pageToken = answer.body.nextPageToken ?? "";
  } while (pageToken !== "");
  return content;
}

test("a cell that a spreadsheet takes for a formula begins with an apostrophe", () => {
  const cells = ["=1+1", "+41", "-2", "@x", "\t=1", " =1", "＝1", "plain", "a-b", 'say "hi"', "a,b", ""];
  assert.equal(csvRecord(cells), `"'=1+1","'+41","'-2","'@x","'\t=1","' =1","'＝1",plain,a-b,"say ""hi""","a,b",\r\n`);
});

test("a cell has no formula for a spreadsheet that divides by semicolons or tabs", () => {
  const record = csvRecord(["x;=1+1", "x; ;\t@y", 'x;"-1"', "x\n+1", "x\t＝1", "a; b", "a-b+c=d", "O'Neil", "x;1;y-z"]);
  const cells = record.trimEnd().split(/[;\t\r\n]|,/);
  assert.ok(cells.length > 9, record);
  for (const cell of cells) assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝]/u, record);
  assert.equal(csvRecord(["x;=1", "a; b", "a-b+c=d", "a;b-c"]), `"x;'=1","a; b",a-b+c=d,"a;b-c"\r\n`);
});

eachServer((start) => {
  test("an export has the users that its caller may read and that match, as CSV and as JSON lines", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const ada = await addPerson(server, { username: "ada", organizationId: acme.organizationId });
    const bob = await addPerson(server, { username: "bob", organizationId: acme.organizationId });
    const foreign = await addPerson(server, { username: "foreign", organizationId: other.organizationId });
    const queries = [{ typeQuery: { type: "TYPE_HUMAN" } }];
    const table = await exportUsers(server, acme.token, { format: csv, queries });
    const [head = "", ...records] = table.trimEnd().split("\r\n");
    assert.match(head, /^id,organization_id,kind,state,username,/);
    assert.deepEqual(
      records.map((record) => record.split(",")[0]),
      [ada.userId, bob.userId],
    );
    assert.match(records[0] ?? "", /ada@mail\.example,true/);
    const profile = { givenName: "x;=HYPERLINK(A1);y", familyName: "L" };
    const renamed = await server.rest("PUT", `/v2/users/human/${ada.userId}`, { body: { profile } });
    assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
    const again = await exportUsers(server, acme.token, { format: csv, queries });
    assert.ok(again.includes(`"x;'=HYPERLINK(A1);y"`) && !again.includes(";="), again);
    const text = await exportUsers(server, acme.token, { format: lines, queries });
    const users = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      users.map(({ userId }) => userId),
      [ada.userId, bob.userId],
    );
    const { body } = await server.connect("service.user.v2.UserService/GetUserByID", { userId: ada.userId });
    assert.deepEqual(users[0], body.user);
    // The same for the other tenant, and for the instance.
    assert.match(await exportUsers(server, other.token, { format: csv, queries }), new RegExp(`\n${foreign.userId},`));
    const all = await exportUsers(server, server.ownerToken, { format: csv, queries });
    for (const { userId } of [ada, bob, foreign]) assert.ok(all.includes(`\n${userId},`));
    const one = [...queries, { userNameQuery: { userName: "ada", method: "TEXT_QUERY_METHOD_EQUALS" } }];
    const found = await exportUsers(server, server.ownerToken, { format: csv, queries: one });
    assert.equal(found.trimEnd().split("\r\n").length, 2);

    const without = await addServiceAccount(server, acme.organizationId, "without-role");
    const refused = await server.rest("POST", "/v2/exports/users", { token: without.token, body: { format: csv } });
    assert.equal(refused.status, 403);
    // A token is a position, and neither a permission nor the id of a user.
    const { status, body: beyond } = await server.rest("POST", "/v2/exports/users", {
      token: acme.token,
      body: { format: lines, pageToken: bob.userId },
    });
    assert.deepEqual([status, beyond.details?.[0]?.id], [400, "field.unknown_value"]);
  });

  test("the position of a part says nothing of the users before it, and holds in its instance alone", async (t) => {
    const server = await start(t);
    const { organizationId, userId } = await addOwnedOrganization(server, "Acme");
    const people = [];
    for (const username of ["ada", "bob", "eve"]) people.push(await addPerson(server, { username, organizationId }));
    const { domain } = server.app;
    const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
    const access = await loadAccess(domain.database.read, instanceId, userId);
    const call = {
      instanceId,
      requestId: "test",
      now: server.clock.now,
      language: "en",
      caller: { userId, organizationId, access },
    } as const;
    const filters = [{ by: "kind", kind: "human" }] as const;
    const found: string[] = [];
    let position = "";
    do {
      const part = await listUsersAfter(domain, call, { filters, position, limit: 1 });
      found.push(...part.users.map((user) => user.userId));
      position = part.next ?? "";
      for (const each of people) {
        assert.ok(!position.includes(each.userId));
        assert.ok(!Buffer.from(position.split(".").at(-1) ?? "", "base64url").includes(each.userId));
      }
      if (position === "") break;
      await assert.rejects(
        listUsersAfter(domain, { ...call, instanceId: "another" }, { filters, position, limit: 1 }),
        ({ id }: Fault) => id === "field.unknown_value",
      );
      await assert.rejects(
        listUsersAfter(domain, call, { filters, position: `${position.slice(0, -1)}~`, limit: 1 }),
        ({ id }: Fault) => id === "field.unknown_value",
      );
    } while (found.length < 10);
    assert.deepEqual(
      found,
      people.map((each) => each.userId),
    );
  });
});
