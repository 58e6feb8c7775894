import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { renderMethods } from "../../../tools/docs/render-methods.ts";
import { leaveOut } from "../support/servers/leave-out.ts";
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

test("a method without an implementation is unimplemented, on the page and to callers who may call it", async (t) => {
  const server = await startServer(t);
  const name = "service.admin.v1.AdminService/ExportData";
  assert.match(page, /^\| ExportData \|.* built \|$/m);
  leaveOut(server, name);
  const rendered = await renderMethods(server.app.methods, server.app.earlierMethods);
  assert.match(rendered, /^\| ExportData \|.* unimplemented \|$/m);
  assert.equal(rendered.split(" unimplemented |").length, 2, "no other method");
  assert.equal((await server.connect(name, {})).body.code, "unimplemented");
});
