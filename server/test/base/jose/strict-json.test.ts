import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStrictObject } from "../../../src/base/jose/strict-json.ts";

// A small generator of JSON documents with awkward strings; the same every time.
function createGenerator(seed: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  // Names and values alike; the last six only as values, because no name may need an escape.
  const strings = [
    "",
    "a",
    ":",
    "{}",
    "é",
    "a:b",
    "[",
    "🔑",
    "__proto",
    '"',
    "\\",
    '\\":',
    '{":":1}',
    "\u0000",
    "\u2028",
  ];
  const text = (count = strings.length): string => strings[next(count)] ?? "";
  const value = (depth: number): unknown => {
    switch (next(depth > 4 ? 4 : 7)) {
      case 0:
        return text();
      case 1:
        return next(1000) - 500.5;
      case 2:
        return null;
      case 3:
        return next(2) === 0;
      case 4:
        return Array.from({ length: next(4) }, () => value(depth + 1));
      default:
        return object(depth + 1);
    }
  };
  const object = (depth: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: next(5) }, () => [text(9), value(depth)]));
  return { next, object };
}

test("every object is read as it is, and with any of its members twice not at all", () => {
  const { next, object } = createGenerator(4711);
  let doubled = 0;
  for (let round = 0; round < 3000; round++) {
    const value = object(0);
    const text = JSON.stringify(value, null, next(3));
    assert.deepEqual(parseStrictObject(Buffer.from(text)), JSON.parse(text));
    const names = Object.keys(value);
    const name = names[next(Math.max(names.length, 1))];
    if (name === undefined) continue;
    const twice = `{${JSON.stringify(name)}:0,${text.slice(text.indexOf("{") + 1)}`;
    assert.equal(parseStrictObject(Buffer.from(twice)), undefined, twice);
    assert.equal(parseStrictObject(Buffer.from(`{"outer":[1,${twice}]}`)), undefined);
    doubled++;
  }
  assert.ok(doubled > 1000);
});

test("what is not one JSON object in UTF-8 is not read", () => {
  const texts = [
    "",
    " ",
    "null",
    "1",
    '"a"',
    "[]",
    "[{}]",
    "{",
    "{}{}",
    "{a:1}",
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":\u0001}',
    "\ufeff{}",
  ];
  for (const text of texts) assert.equal(parseStrictObject(Buffer.from(text)), undefined, text);
  const bytes = [
    Buffer.from("{}", "utf16le"),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from("{}\u0000"),
  ];
  for (const part of bytes) assert.equal(parseStrictObject(part), undefined);
  assert.deepEqual(parseStrictObject(Buffer.from(' {"a" : 1}\n')), { a: 1 });
});
