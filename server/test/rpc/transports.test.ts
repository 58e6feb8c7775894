import assert from "node:assert/strict";
import { test } from "node:test";
import { leaveOut } from "../support/servers/leave-out.ts";
import { startServer } from "../support/servers/server.ts";

test("health and readiness answer on every host, without an instance", async (t) => {
  const { rest } = await startServer(t);
  assert.deepEqual((await rest("GET", "/debug/healthz", { token: null })).body, "ok");
  assert.equal((await rest("GET", "/debug/ready", { token: null })).status, 200);
  assert.deepEqual((await rest("GET", "/auth/v1/healthz", { token: null })).body, {});
});

test("a method that is declared but not built answers unimplemented, after authentication", async (t) => {
  const server = await startServer(t);
  const { rest } = server;
  const path = "/admin/v1/views/_search";
  assert.equal((await rest("POST", path, { body: {} })).status, 200);
  leaveOut(server, "service.admin.v1.AdminService/ListViews");
  assert.equal((await rest("POST", path, { token: null, body: {} })).status, 401);
  const answer = await rest("POST", path, { body: {} });
  assert.equal(answer.status, 501);
  assert.equal(answer.body.code, 12);
  assert.equal(answer.body.details[0].id, "method.unimplemented");
  assert.equal(answer.body.details[0]["@type"], "type.googleapis.com/service.v1.ErrorDetail");
});

test("an unknown path is 404, a wrong verb 405 with Allow, in the words of REST", async (t) => {
  const { rest } = await startServer(t);
  assert.deepEqual((await rest("GET", "/v2/nothing/here")).body.code, 5);
  const wrong = await rest("DELETE", "/v2/sessions");
  assert.equal(wrong.status, 405);
  assert.equal(wrong.body.code, 12);
  assert.equal(wrong.headers.get("allow"), "POST");
});

test("Connect answers with a code and a detail", async (t) => {
  const server = await startServer(t);
  const { connect } = server;
  leaveOut(server, "service.admin.v1.AdminService/ExportData");
  const answer = await connect("service.admin.v1.AdminService/ExportData", {});
  assert.equal(answer.status, 501);
  assert.equal(answer.body.code, "unimplemented");
  assert.equal(answer.body.details[0].type, "service.v1.ErrorDetail");
  const alias = await connect("zitadel.admin.v1.AdminService/ExportData", {});
  assert.equal(alias.body.code, "unimplemented");
});
