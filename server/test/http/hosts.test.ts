import assert from "node:assert/strict";
import { test } from "node:test";
import { countStatements } from "../support/databases/counted-statements.ts";
import { exchange } from "../support/http/raw-http.ts";
import { startServer } from "../support/servers/server.ts";

test("a host is looked up once, whatever port a request names", async (t) => {
  const server = await startServer(t);
  const counted = countStatements(server.app.domain.database);
  const ask = async (host: string) =>
    (await exchange(server.port, { path: "/oauth/v2/keys", headers: [["host", host]] }))?.status;
  assert.equal(await ask("localhost:1"), 200);
  const sent = await counted.during(async () => {
    for (const host of ["localhost", "localhost:2", "LOCALHOST:3", "localhost:65535"]) {
      assert.equal(await ask(host), 200, host);
    }
  });
  assert.deepEqual(sent, []);
  const looked = await counted.during(async () => {
    for (const host of ["elsewhere.example:2", "localhost:65536", "::1"]) assert.equal(await ask(host), 404, host);
  });
  assert.equal(looked.length, 1, "a host that no instance has");
});
