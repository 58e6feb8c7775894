import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { openTokenFile } from "../../src/app/token-file.ts";
import { Secret } from "../../src/base/secret.ts";

test("the file of a bootstrap token is always a new one, readable by its owner alone", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "doorward-token-file-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "pat");
  // What another user who may write into the directory can prepare.
  const watched = join(directory, "watched");
  writeFileSync(watched, "", { mode: 0o666 });
  symlinkSync(watched, path);
  symlinkSync(watched, `${path}.unfinished-${process.pid}`);
  const file = await openTokenFile(path, "SETTING");
  await file.write(new Secret("a-token"));
  await file.close();
  assert.equal(readFileSync(path, "utf8"), "a-token\n");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(readFileSync(watched, "utf8"), "");
  assert.deepEqual(readdirSync(directory).sort(), ["pat", `pat.unfinished-${process.pid}`, "watched"]);
});
