import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { renderMethods } from "../../../tools/docs/render-methods.ts";
import { startServer } from "../support/servers/server.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/methods.md"), "utf8");

test("docs/methods.md says which methods the server has (npm run docs:methods writes it)", async (t) => {
  const server = await startServer(t);
  assert.equal(
    page,
    await renderMethods(server.app.methods, server.app.earlierMethods),
    "docs/methods.md is stale: npm run docs:methods",
  );
});

test("methods that the page calls unimplemented say so to callers who may call them", async (t) => {
  const server = await startServer(t);
  const rows = page.matchAll(/^## (?<service>\S+)$|^\| (?<method>[A-Z]\w+) \|.* unimplemented \|$/gm);
  let service = "";
  let count = 0;
  let refused = 0;
  for (const { groups = {} } of rows) {
    service = groups["service"] ?? service;
    // Only system users may call these.
    if (groups["method"] === undefined || service === "service.system.v1.SystemService") continue;
    const { status, body } = await server.connect(`${service}/${groups["method"]}`, {});
    // Some methods are for system users, or about oneself: not even the owner of the instance may call them.
    if (status !== 403) assert.equal(body.code, "unimplemented", `${service}/${groups["method"]}`);
    else refused++;
    count++;
  }
  assert.ok(count === 0 || refused < count / 2, `${refused} of ${count} were refused`);
});
