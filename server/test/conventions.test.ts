import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { checkConventions, readTree } from "../../tools/conventions/check.ts";

// The rules, each with the violation that it must report, are in tools/conventions and tools/test/conventions.
const tree = readTree(resolve(import.meta.dirname, "../.."));

test("the repository keeps its conventions", () => {
  const findings = checkConventions(tree).map(({ rule, path, line, message }) => `${rule}: ${path}:${line} ${message}`);
  assert.deepEqual(findings, []);
});

test("the conventions are asked of the whole repository", () => {
  for (const path of ["server/src/base/clock.ts", "tools/conventions/check.ts", "package.json", ".ci/run", "LICENSE"]) {
    assert.ok(tree.has(path), `${path} was not read`);
  }
  assert.ok(tree.size > 300, `only ${tree.size} files were read`);
});
