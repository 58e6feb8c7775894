import assert from "node:assert/strict";
import { test } from "node:test";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { bind } from "../../src/api/contract/index.ts";

test("a handler of a method that the contract does not have does not compile, even where a spread hides its name", () => {
  const healthz = async () => ({});
  assert.deepEqual(Object.keys(bind(AdminService, { healthz }).handlers), ["healthz"]);
  const unknown = { addUnknownProvider: healthz };
  // @ts-expect-error: there is no such method
  bind(AdminService, { healthz, ...unknown });
  // @ts-expect-error: nor where it is named
  bind(AdminService, { healthz, addUnknownProvider: healthz });
});
