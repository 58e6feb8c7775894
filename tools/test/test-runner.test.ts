import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";

const runner = resolve(import.meta.dirname, "../test.ts");

/** Runs the test runner over planted test files; `ci` as under `CI=true`. */
function runPlanted(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  ci = false,
): { status: number; output: string } {
  const root = mkdtempSync(join(tmpdir(), "doorward-runner-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "tools"));
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(root, "tools", `${name}.test.ts`), `import test from "node:test";\n${body}\n`);
  }
  const { NODE_TEST_CONTEXT: _, CI: __, ...env } = process.env;
  const run = spawnSync(process.execPath, [runner, "tools/"], {
    cwd: root,
    encoding: "utf8",
    env: { ...env, DOORWARD_TEST_PATIENCE: "500", ...(ci ? { CI: "true" } : {}) },
  });
  return { status: run.status ?? -1, output: run.stdout + run.stderr };
}

test("passing files pass, and the last line counts", (t) => {
  const { status, output } = runPlanted(t, {
    a: 'test("x", () => {});',
    b: 'test("y", () => {}); test("z", () => {});',
  });
  assert.match(output, /^3 passed, 0 failed, 0 skipped\n$/m);
  assert.equal(status, 0);
});

test("a failing test fails the run and is told with file and line", (t) => {
  const { status, output } = runPlanted(t, { a: 'test("the rule", () => { throw new Error("broken"); });' });
  assert.match(output, /✖ the rule \(tools\/a\.test\.ts:2\)\n +Error: broken/);
  assert.match(output, /^0 passed, 1 failed, 0 skipped$/m);
  assert.equal(status, 1);
});

test("a failing subtest is counted once", (t) => {
  const body = 'test("outer", async (t) => { await t.test("inner", () => { throw new Error("x"); }); });';
  assert.match(runPlanted(t, { a: body }).output, /^0 passed, 1 failed, 0 skipped$/m);
});

test("a file without a test fails the run", (t) => {
  assert.equal(runPlanted(t, { a: "void test;" }).status, 1);
});

test("a file that cannot be loaded fails the run", (t) => {
  assert.equal(runPlanted(t, { a: 'test("x", () => {}); import "./nowhere.ts";' }).status, 1);
});

test("a handle that is left open fails the run", (t) => {
  const { status, output } = runPlanted(t, {
    a: 'import net from "node:net"; test("x", () => { net.createServer().listen(0); });',
  });
  assert.match(output, /does not end: 500 ms after its last test it still holds .*TCPServerWrap/);
  assert.equal(status, 1);
});

test("a process that is left behind fails the run and is ended", { skip: process.platform !== "linux" }, (t) => {
  const spawned = 'spawn("sleep", ["61.5"], { detached: true, stdio: "ignore" }).unref()';
  const body = `import { spawn } from "node:child_process"; test("x", () => { ${spawned}; });`;
  const { status, output } = runPlanted(t, { a: body });
  const pid = /left a process behind \(tools\/a\.test\.ts\): (\d+) sleep 61\.5/.exec(output)?.[1];
  assert.ok(pid, output);
  // One that nobody has collected yet has no command line any more.
  assert.equal(existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, "latin1") : "", "");
  assert.equal(status, 1);
});

test("a skipped test is told, and fails the run under CI=true", (t) => {
  const files = { a: 'test("x", { skip: "no browser here" }, () => {}); test("y", () => {});' };
  const alone = runPlanted(t, files);
  assert.match(alone.output, /^skipped +tools\/a\.test\.ts: x: no browser here$/m);
  assert.match(alone.output, /^1 passed, 0 failed, 1 skipped$/m);
  assert.equal(alone.status, 0);
  assert.equal(runPlanted(t, files, true).status, 1);
});

test("a path that matches nothing fails the run", (t) => {
  assert.equal(runPlanted(t, {}).status, 1);
});
