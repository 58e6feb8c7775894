import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/threat-model.md"), "utf8");
const findings = Array.from({ length: 33 }, (_, index) => index + 1);

/** The findings that a text names: `A4`, and those between the ends of `A4 to A6` or `A4-A6`. */
function findingsIn(text: string): Set<number> {
  const named = text.matchAll(/\bA(\d+)(?:(?:-| to )A(\d+))?\b/g);
  return new Set(
    [...named].flatMap(([, first, last = first]) =>
      findings.filter((one) => one >= Number(first) && one <= Number(last)),
    ),
  );
}

/** What is in the brackets at the end of a test's title: `(A1, A8)`. */
const titlesOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:test|both)\(\s*(["`])(?:(?!\1)[\s\S])*?\(([^()]*\bA\d[^()]*)\)/g)].map(
    ([, , marks = ""]) => marks,
  );

test("each finding of the attack has its rule in docs/threat-model.md, and a test that names it", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const ruled = findingsIn(rows.join("\n"));
  const files = globSync("server/test/**/*.test.ts", { cwd: root });
  const tested = findingsIn(files.flatMap((file) => titlesOf(readFileSync(join(root, file), "utf8"))).join(" "));
  assert.deepEqual(
    findings.filter((one) => !ruled.has(one)),
    [],
    "findings without a rule",
  );
  assert.deepEqual(
    findings.filter((one) => !tested.has(one)),
    [],
    "findings without a test",
  );
});

test("each rule of docs/threat-model.md says where it is kept and which tests walk its attacks", () => {
  const [, boundaries = ""] = page.split("\n## Boundaries\n");
  const [kept = ""] = boundaries.split("\n## ");
  const rows = kept.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Rule"));
  assert.ok(rows.length > 60, `only ${rows.length} rules were read`);
  for (const row of rows) {
    const [rule = "", where = "", tests = "", ...more] = row.slice(2, -2).split(" | ");
    assert.ok(/`[^`]+`/.test(where), `where is it kept: ${rule}`);
    assert.ok(/`(server|api|e2e|tools)\/test\/[^`]+`/.test(tests), `which tests: ${rule}`);
    assert.deepEqual(more, [], rule);
  }
});
