import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";

const runner = resolve(import.meta.dirname, "../test.ts");

/** Runs the test runner over planted test files, with more variables in its environment. */
function runPlanted(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
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
    env: { ...env, DOORWARD_TEST_PATIENCE: "500", ...more },
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

test("an error that no test awaits fails the test that caused it", (t) => {
  const { status, output } = runPlanted(t, {
    a: `import { setTimeout as sleep } from "node:timers/promises";
      test("thrown", async () => { setTimeout(() => { throw new Error("of a timer"); }); await sleep(50); });
      test("rejected", async () => { void sleep(1).then(() => Promise.reject(new Error("of a promise"))); await sleep(50); });
      test("innocent", async () => { await sleep(50); });`,
  });
  assert.equal(status, 1);
  for (const said of [/thrown.*\n.*of a timer/, /rejected.*\n.*of a promise/]) assert.match(output, said);
  assert.match(output, /1 passed, 2 failed/);
});

test("the tests of a suite are counted, not the suite", (t) => {
  const body = `import { describe } from "node:test";
    describe("rules", () => { test("one", () => {}); test("two", async (t) => { await t.test("part", () => {}); }); });`;
  const { status, output } = runPlanted(t, { a: body });
  assert.equal(status, 0, output);
  assert.match(output, /^3 passed, 0 failed/m);
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

test("an open handle is attributed to the file that left it, even if other files ran after it", (t) => {
  const { status, output } = runPlanted(t, {
    a: 'test("x", () => {});',
    b: 'import net from "node:net"; test("x", () => { net.createServer().listen(0); });',
    c: 'test("x", () => {});',
  });
  assert.match(output, /^✖ does not end: .*TCPServerWrap \(tools\/b\.test\.ts\)$/m);
  assert.match(output, /^failed +tools\/b\.test\.ts$/m);
  assert.doesNotMatch(output, /^failed +tools\/[ac]/m);
  assert.equal(status, 1);
});

test("files share a process, but hooks at the top level belong to their file", (t) => {
  const say = (name: string): string => `
    import { after, beforeEach } from "node:test";
    import process from "node:process";
    beforeEach(() => console.log("before ${name}"));
    after(() => console.log("after ${name}"));
    test("${name}", () => { console.log("in ${name}", process.pid); throw new Error("shown"); });`;
  const { output } = runPlanted(t, { a: say("a"), b: say("b") });
  const said = [...output.matchAll(/^ +(before|in|after) ([ab])( \d+)?$/gm)];
  assert.deepEqual(
    said.map(([, word, name]) => `${word} ${name}`),
    ["before a", "in a", "after a", "before b", "in b", "after b"],
  );
  assert.equal(said[1]?.[3], said[4]?.[3]);
});

test("a file that asks for a process of its own gets one", (t) => {
  const say = 'import process from "node:process"; test("x", () => { throw new Error(`pid ${process.pid}`); });';
  const { output } = runPlanted(t, { a: say, b: `// A process of its own: it is planted.\n${say}`, c: say });
  const [a, b, c] = [...output.matchAll(/✖ x \(tools\/(\w)\.test\.ts:\d+\)\n +Error: pid (\d+)/g)]
    .sort(([, one = ""], [, other = ""]) => (one < other ? -1 : 1))
    .map(([, , pid]) => pid);
  assert.ok(a !== undefined && b !== undefined && c !== undefined, output);
  assert.equal(a, c);
  assert.notEqual(a, b);
});

test("a file that changes shared process state is named, and the next one is not affected", (t) => {
  const { status, output } = runPlanted(t, {
    a: `import process from "node:process";
      test("x", () => { process.env.LEFT = "1"; process.chdir("/"); globalThis.fetch = () => {}; });`,
    b: `import process from "node:process";
      import assert from "node:assert";
      test("y", () => { assert.equal(process.env.LEFT, undefined); assert.notEqual(process.cwd(), "/"); });`,
  });
  assert.match(output, /✖ tools\/a\.test\.ts .*\n.*spoils its process: the variable LEFT .* directory .* fetch /);
  assert.match(output, /^ok +tools\/b\.test\.ts: 1 passed/m);
  assert.match(output, /^2 passed, 1 failed, 0 skipped$/m);
  assert.equal(status, 1);
});

test("files without a result have failed, and the one that ended their process is named", (t) => {
  const { status, output } = runPlanted(t, {
    a: 'test("x", () => {});',
    b: 'import process from "node:process"; test("y", () => { process.exit(3); });',
    c: 'test("z", () => {});',
  });
  assert.match(output, /✖ was not run to its end \(tools\/b\.test\.ts\): .* \(its process ended with code 3\)/);
  assert.match(output, /✖ has no result \(tools\/c\.test\.ts\), because the process ended in tools\/b\.test\.ts/);
  assert.equal(status, 1);
});

test("a killed process is reported as killed", (t) => {
  const { output } = runPlanted(t, {
    a: 'import process from "node:process"; test("x", () => { process.kill(process.pid, "SIGKILL"); });',
  });
  assert.match(output, /✖ was not run to its end \(tools\/a\.test\.ts\): .* \(its process was ended by SIGKILL\)/);
});

test("a file that waits forever fails and is named, and the next one runs", (t) => {
  const { status, output } = runPlanted(
    t,
    { a: 'test("x", () => new Promise(() => {}));', b: 'test("y", () => {});' },
    { DOORWARD_TEST_TIMEOUT: "1000" },
  );
  assert.match(output, /^FAIL tools\/a\.test\.ts/m);
  assert.match(output, /timed out after 1000ms/);
  assert.match(output, /^ok +tools\/b\.test\.ts: 1 passed/m);
  assert.equal(status, 1);
});

test("a file that never lets go of its process is ended and named", (t) => {
  const { status, output } = runPlanted(
    t,
    { a: 'test("x", () => {});', b: 'test("y", () => { for (;;); });', c: 'test("z", () => {});' },
    { DOORWARD_TEST_TIMEOUT: "2000" },
  );
  assert.match(output, /✖ was not run to its end \(tools\/b\.test\.ts\): /);
  assert.match(output, /✖ has no result \(tools\/c\.test\.ts\), because the process ended in tools\/b\.test\.ts/);
  assert.equal(status, 1);
});

test("a process that is left behind fails the run and is ended", { skip: process.platform !== "linux" }, (t) => {
  const spawned = 'spawn("sleep", ["61.5"], { detached: true, stdio: "ignore" }).unref()';
  const body = `import { spawn } from "node:child_process"; test("x", () => { ${spawned}; });`;
  const { status, output } = runPlanted(t, { a: body });
  const pid = /left a process behind: (\d+) sleep 61\.5 \(tools\/a\.test\.ts\)/.exec(output)?.[1];
  assert.ok(pid, output);
  // A zombie that its parent has not collected yet no longer has a command line.
  assert.equal(existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, "latin1") : "", "");
  assert.equal(status, 1);
});

test("a skipped test is told, and fails the run under CI=true unless a language is missing", (t) => {
  const files = { a: 'test("x", { skip: "no browser here" }, () => {}); test("y", () => {});' };
  const alone = runPlanted(t, files);
  assert.match(alone.output, /^skipped +tools\/a\.test\.ts: x: no browser here$/m);
  assert.match(alone.output, /^1 passed, 0 failed, 1 skipped$/m);
  assert.equal(alone.status, 0);
  assert.equal(runPlanted(t, files, { CI: "true" }).status, 1);
  const extra = { a: files.a.replace("no browser here", "there is no Go here, which npm test does not install") };
  const allowed = runPlanted(t, extra, { CI: "true" });
  assert.match(allowed.output, /^skipped +tools\/a\.test\.ts: x: there is no Go here/m);
  assert.match(allowed.output, /^1 passed, 0 failed, 1 skipped$/m);
  assert.equal(allowed.status, 0);
});

test("a path that matches nothing fails the run", (t) => {
  assert.equal(runPlanted(t, {}).status, 1);
});
