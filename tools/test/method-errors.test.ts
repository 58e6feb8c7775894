import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findErrors } from "../docs/find-errors.ts";
import { renderErrors } from "../docs/render-errors.ts";

const stored = join(import.meta.dirname, "../../server/src/rpc/reference/method-errors.json");

test("the reference lists the errors that are in the code of each method (npm run docs:methods)", async () => {
  const found = await findErrors();
  const errors = found.methods.get("service.project.v2.ProjectService/CreateProject") ?? new Set();
  for (const error of ["already_exists project.name_taken", "invalid_argument project.name_invalid"]) {
    assert.ok(errors.has(error), error);
  }
  assert.equal(errors.has("already_exists user.id_taken"), false);
  // A handler beside those that a mapped type brings.
  const beside = found.methods.get("service.management.v1.ManagementService/ListProjects") ?? new Set();
  assert.ok(beside.has("invalid_argument page.limit_exceeded"));
  assert.equal(renderErrors(found), readFileSync(stored, "utf8"));
});
