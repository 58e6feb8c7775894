import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isAnnounced } from "../../src/event/index.ts";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

test("events of every aggregate that a cache depends on are announced to other nodes", () => {
  const cached = globSync("**/*.ts", { cwd: sources }).flatMap((file) => {
    const lists = readFileSync(`${sources}${file}`, "utf8").matchAll(/\baggregateTypes: \[([^\]]*)\]/g);
    return [...lists].flatMap(([, list]) => [...(list ?? "").matchAll(/"([a-z_]+)"/g)].map(([, type]) => type ?? ""));
  });
  assert.ok(cached.includes("instance"), "no cache was found");
  for (const type of cached) assert.ok(isAnnounced(`${type}.updated`), type);
});

test("what happens with every sign-in and token is not announced", () => {
  for (const type of ["token_family.created", "session.updated", "user.updated"])
    assert.equal(isAnnounced(type), false);
});
