import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoundedMap } from "../../src/base/bounded-map.ts";

test("a bounded map keeps what was put last, up to a number and a sum of sizes", () => {
  const map = createBoundedMap<string>({ most: 3, mostSize: 10, sizeOf: ({ length }) => length });
  const keys = (): string => [...map].map(([key]) => key).join("");
  for (const key of ["a", "b", "c", "d"]) map.put(key, "1");
  assert.equal(keys(), "bcd", "at most three");
  map.put("e", "123456789");
  assert.equal(keys(), "de", "at most ten characters");
  map.put("e", "123");
  map.put("f", "1234");
  assert.equal(keys(), "def", "what is replaced does not count");
  map.put("g", "12345678901");
  assert.equal(keys(), "def", "what is too large is not kept");
  map.put("d", "12345678901");
  assert.equal(keys(), "ef", "nor is what it would replace");
  map.delete("e");
  map.delete("absent");
  map.put("h", "123456");
  assert.equal(keys(), "fh", "what was deleted does not count");
  assert.equal(map.get("h"), "123456");
  map.clear();
  map.put("i", "1234567890");
  assert.equal(keys(), "i");
});
