import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { lazy } from "../../src/base/lazy.ts";

test("a value is made once, and what is not asked for never", async () => {
  let made = 0;
  const value = lazy(() => ({ number: ++made }));
  assert.equal(made, 0);
  assert.equal(value(), value());
  const promise = lazy(async () => ++made);
  assert.equal(promise(), promise());
  assert.equal(await promise(), 2);
  assert.equal(await promise(), 2);
});

test("a promise that is rejected is forgotten: those who wait for it fail, and the next call tries again", async () => {
  let calls = 0;
  const load = lazy(async () => {
    calls++;
    await Promise.resolve();
    if (calls === 1) throw new Error("no file descriptors");
    return calls;
  });
  const together = await Promise.allSettled([load(), load()]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(calls, 1);
  assert.equal(await load(), 2);
  assert.equal(await load(), 2);
  // Also for those who call again as soon as they know.
  const failing = lazy(() => Promise.reject(new Error(String(++calls))));
  const again = await failing().catch(() => failing().catch(({ message }: Error) => message));
  assert.equal(again, "4");
});

test("what fails at once is tried again", () => {
  let calls = 0;
  const value = lazy(() => {
    if (++calls === 1) throw new Error("not yet");
    return calls;
  });
  assert.throws(value, /not yet/);
  assert.deepEqual([value(), value()], [2, 2]);
});

test("a module that could not be read is loaded by the next call", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "doorward-test-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "late.mjs");
  const load = lazy(() => import(pathToFileURL(path).href));
  await assert.rejects(load());
  writeFileSync(path, "export const word = 'here';");
  assert.equal((await load()).word, "here");
});
