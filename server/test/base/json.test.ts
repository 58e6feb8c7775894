import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonError, parseJson } from "../../src/base/json.ts";
import { isDoneWithin } from "../support/servers/cpu-time.ts";

test("whatever JSON.parse accepts is parsed the same", () => {
  const texts = [
    "1",
    "null",
    '"a"',
    "[]",
    "{}",
    ' { "a" : [ 1 , { "b" : "\\"{[:" } ] } ',
    '{"a":"\\\\"}',
    '{"a\\u0062":1}',
    '{ "\\u0061" : 1, "b":{"\\u00e9\\t":0} }',
    '{"":0}',
    '{"a":"__proto__","constructor":1,"b":["constructor.prototype"]}',
    '["\\"",":"]',
    '{"a":"\\":"}',
    '"\\":"',
    '{"gr\\u00f6\\u00dfe":1,"\\ud83d\\udd11":2}',
    '{"x":"\\\\","y":"\\u0022:"}',
  ];
  for (const text of texts) {
    const isRefused = text.includes("\\t");
    if (isRefused) assert.throws(() => parseJson(text), JsonError);
    else assert.deepEqual(parseJson(text), JSON.parse(text), text);
  }
});

test("an escaped name is read as itself, whatever names were read before (nodejs/node#63785)", () => {
  for (const [hint, text, expected] of [
    ["s\\", '{"a1":0,"s\\u0075b":1}', { a1: 0, sub: 1 }],
    ["\\", '{"a2":0,"\\u0061":1}', { a2: 0, a: 1 }],
    ["gr\\", '{"a3":0,"gr\\u00f6\\u00dfe" :1}', { a3: 0, größe: 1 }],
  ] as const) {
    const before = `{${text.slice(1, 7)},${JSON.stringify(hint)}:1}`;
    for (let round = 0; round < 10; round++) JSON.parse(before);
    assert.deepEqual(parseJson(text), expected);
  }
});

test("malformed, deep and prototype-reaching texts are refused, and quickly", async () => {
  const texts = [
    "",
    "{",
    '{"a',
    '"\\',
    '{"a\\',
    "[".repeat(65),
    `${"[".repeat(65)}${"]".repeat(65)}`,
    '{"a":'.repeat(100_000),
    "[".repeat(1_000_000),
    '"\\'.repeat(500_000),
    '\\"'.repeat(500_000),
    '{"\\u0022":1}',
    '{"\\\\":1}',
    '{"\\n":1}',
    '{"\\x":1}',
    '{"__proto__":1}',
    '{"\\u005f_proto__":1}',
    '{"constructor":{"prototype":1}}',
    '{"\\u0063onstructor":{"prototype":1}}',
  ];
  for (const text of texts) {
    const refuse = () => assert.throws(() => parseJson(text), JsonError, text.slice(0, 40));
    assert.ok(await isDoneWithin(500, refuse), text.slice(0, 40));
  }
  assert.deepEqual(parseJson(`${"[".repeat(64)}${"]".repeat(64)}`), JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`));
});
