import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { listFiles } from "../files.ts";
import { groupFiles, reasonForOwnProcess } from "../run/groups.ts";
import { tierPaths, tiersOf } from "../run/tiers.ts";
import { timesToRecord } from "../run/times.ts";

const root = resolve(import.meta.dirname, "../..");
const files = listFiles(root, "*/**/*.test.ts");

test("every test file is in npm test or in npm run test:long", () => {
  assert.ok(files.length > 300, `only ${files.length} files were found`);
  assert.deepEqual(
    files.filter((file) => tiersOf(file).length === 0),
    [],
  );
  // Positive control: a path that no list has would be found.
  assert.deepEqual(tiersOf("elsewhere/test/a.test.ts"), []);
});

test("every list of a run has files", () => {
  for (const path of Object.values(tierPaths).flat()) {
    assert.ok(
      files.some((file) => file.startsWith(path)),
      `no test file begins with ${path}`,
    );
  }
});

test("CONTRIBUTING.md lists what each run has", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const rows = {
    quick: tierPaths.quick,
    "quick, not": tierPaths.notQuick,
    test: tierPaths.standard,
    "test:long": tierPaths.long,
  };
  for (const [name, paths] of Object.entries(rows)) {
    const row = text.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row, `no row \`${name}\``);
    const listed = [...(row.split("|")[2]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, path]) => path);
    assert.deepEqual(listed, paths, `row \`${name}\``);
  }
});

test("the same files share a process every time, whatever they took the last time", () => {
  const paths = Array.from({ length: 100 }, (_, index) => `server/test/${String(index).padStart(3, "0")}.test.ts`);
  const shapeOf = (lastTime: (path: string) => number): string[] =>
    groupFiles(
      paths.map((path) => ({ path, lastTime: lastTime(path) })),
      new Map(),
    )
      .map(({ files: members }) => members.join(" "))
      .sort();
  assert.deepEqual(
    shapeOf(() => 1),
    shapeOf((path) => path.charCodeAt(12) * 1000),
  );
});

test("files of different parts, files that ask for it and long files do not share a process", () => {
  const groups = groupFiles(
    [
      { path: "e2e/test/a.test.ts" },
      { path: "server/test/a.test.ts" },
      { path: "server/test/b.test.ts", ownProcess: "it is planted" },
      { path: "server/test/c.test.ts" },
      { path: "server/test/long.test.ts", lastTime: 30_000 },
    ],
    new Map([["server/test/long.test.ts", 30_000]]),
  ).map(({ files: members }) => members);
  assert.deepEqual(groups[0], ["server/test/long.test.ts"]);
  assert.deepEqual(
    groups.slice(1).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    [["e2e/test/a.test.ts"], ["server/test/a.test.ts", "server/test/c.test.ts"], ["server/test/b.test.ts"]],
  );
});

test("a run of one tier keeps the recorded times of the others, but not those of files that are gone", () => {
  const result = { passed: ["x"], failed: 0, skipped: [], cpuMilliseconds: 0, report: "" };
  const times = timesToRecord(
    new Map([
      ["other.test.ts", 9000],
      ["faster.test.ts", 9000],
      ["gone.test.ts", 9000],
    ]),
    [
      { ...result, file: "new.test.ts", milliseconds: 5400 },
      { ...result, file: "faster.test.ts", milliseconds: 100 },
    ],
    (file) => file !== "gone.test.ts",
  );
  assert.deepEqual(times, { "new.test.ts": 5000, "other.test.ts": 9000 });
});

test("the reason for a process of its own is a line near the top", () => {
  assert.equal(reasonForOwnProcess('import "a";\n// A process of its own: it ends it.\n'), "it ends it.");
  assert.equal(reasonForOwnProcess('const text = "// A process of its own: no";\n'), undefined);
  assert.equal(reasonForOwnProcess(`${"\n".repeat(50)}// A process of its own: too late.\n`), undefined);
});
