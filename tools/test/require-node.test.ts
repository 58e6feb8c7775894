import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const launcher = join(import.meta.dirname, "../require-node.cjs");

/** Loads the launcher in a process that pretends to be another version. */
function loadAs(version: string): { status: number | null; stderr: string } {
  const pretend = `Object.defineProperty(process, "versions", { value: { node: "${version}" } }); require(process.argv[1]);`;
  return spawnSync(process.execPath, ["--input-type=commonjs", "-e", pretend, launcher], { encoding: "utf8" });
}

test("a Node that is too old is refused with one sentence that says what to do", () => {
  const { status, stderr } = loadAs("20.19.0");
  assert.equal(status, 1);
  assert.match(stderr, /^Doorward needs Node\.js 24 or newer, and this is 20\.19\.0\. [^\n]+\n$/);
});

test("the command says the same, whatever it is started by, and nothing on standard output", () => {
  const program = join(root, "server/bin/doorward.js");
  const pretend = `Object.defineProperty(process.versions, "node", { value: "20.19.0" }); import(process.argv[1]);`;
  const options = { encoding: "utf8" } as const;
  const old = spawnSync(process.execPath, ["--input-type=module", "-e", pretend, program], options);
  assert.deepEqual([old.status, old.stdout], [1, ""]);
  assert.match(old.stderr, /^Doorward needs Node\.js 24 or newer, and this is 20\.19\.0\. [^\n]+\n$/);
});

test("npx doorward prints the result of the command alone (U16)", () => {
  const { version } = JSON.parse(readFileSync(join(root, "server/package.json"), "utf8")) as { version: string };
  const npx = spawnSync("npx", ["doorward", "--version"], { cwd: root, encoding: "utf8" });
  assert.deepEqual([npx.status, npx.stdout], [0, `${version}\n`], npx.stderr);
});

test("Node 24 and later are welcome", () => {
  assert.equal(loadAs("24.0.0").status, 0);
  assert.equal(loadAs("26.10.0").status, 0);
});
