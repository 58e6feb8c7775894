import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventTypes } from "../../src/event/index.ts";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

/**
 * The types that the sources record: `type: "…"` and `event: "…"` of that form, and the values of tables named
 * `events`.
 */
function recordedTypes(): Map<string, string> {
  const types = new Map<string, string>();
  for (const file of globSync("**/*.ts", { cwd: sources, exclude: ["event/**"] })) {
    const text = readFileSync(`${sources}${file}`, "utf8");
    const declarations = text.matchAll(/\b(?:type|event):([^,}]*)|const events\b[^=]*=\s*\{([^}]*)\}/g);
    for (const [, type, table] of declarations) {
      for (const [, name] of (type ?? table ?? "").matchAll(/"([a-z0-9_]+(?:\.[a-z0-9_]+)+)"/g))
        types.set(name ?? "", file);
    }
  }
  return types;
}

test("every type of event that is recorded is listed in event/names.ts, in order", () => {
  const listed = new Set<string>(eventTypes);
  const missing = [...recordedTypes()].filter(([type]) => !listed.has(type));
  assert.deepEqual(missing, [], "add these to server/src/event/names.ts");
  assert.deepEqual(eventTypes, [...listed].toSorted());
});

test("a type of event is <aggregate>[.<thing>].<past verb>", () => {
  for (const type of eventTypes) assert.match(type, /^[a-z0-9_]+(\.[a-z0-9_]+){1,4}$/);
});
