import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { systemRandom } from "../../src/base/random.ts";
import { createDigestTable } from "../../src/cli/user/checking/digest-table.ts";
import { createCsvFramer } from "../../src/cli/user/reading/csv-framer.ts";
import { guessDelimiter, parseCsvRow } from "../../src/cli/user/reading/csv-row.ts";
import { type Framer, FramingError, type RawItem } from "../../src/cli/user/reading/framer.ts";
import { openHashIndex } from "../../src/cli/user/reading/hash-index.ts";
import { createJsonFramer } from "../../src/cli/user/reading/json-framer.ts";
import { parseJsonItem } from "../../src/cli/user/reading/parse-item.ts";
import { makeDirectory } from "../support/servers/command.ts";

/** Frames bytes in chunks of a size. */
function frame(framer: Framer, bytes: Buffer, size = bytes.length || 1): readonly RawItem[] {
  const items: RawItem[] = [];
  for (let index = 0; index < bytes.length; index += size) {
    framer.push(bytes.subarray(index, index + size), (item) => items.push(item));
  }
  framer.end((item) => items.push(item));
  return items;
}

const texts = (items: readonly RawItem[]): readonly (string | undefined)[] =>
  items.map(({ bytes }) => bytes?.toString());

const json = (text: string, member?: string, size?: number): readonly (string | undefined)[] =>
  texts(frame(createJsonFramer({ limit: 1000, ...(member !== undefined && { member }) }), Buffer.from(text), size));

test("entries of JSON are those of the array, of the array in the member, or the objects of NDJSON", () => {
  const entries = ['{"a":[1,{"b":"]}"}]}', '{"c":"\\"users\\": [{"}', "{}"];
  for (const size of [1, 2, 3, 7, 1000]) {
    assert.deepEqual(json(`[${entries.join(" ,\n")}]\n`, undefined, size), entries);
    assert.deepEqual(json(`[${entries.join(",")}]`, "users", size), entries);
    assert.deepEqual(json(`${entries.join("\n")}\n`, undefined, size), entries);
    const before = '"x": {"users": [{"no": 1}]}, "y": "users", "users2": [{"no": 2}], "z": ["users", [{"no": 3}]]';
    const text = `{ ${before}, "users" : [ ${entries.join(", ")} ], "w": [{"no": 4}], "v": "users" }`;
    assert.deepEqual(json(text, "users", size), entries);
  }
  assert.deepEqual(json('[1, "a,]", null,[2] ]'), ["1", '"a,]"', "null", "[2]"]);
  assert.deepEqual(json('{"users": {"a": [{"no": 1}]}}', "users"), []);
  assert.deepEqual(json(""), []);
  assert.deepEqual(json("[]"), []);
});

test("any list of values is read back, wherever the chunks end", () => {
  const value = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 });
  const space = fc.constantFrom(undefined, 2);
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), space, (values, size, indent) => {
      const written = (given: unknown): Buffer => Buffer.from(JSON.stringify(given, undefined, indent));
      const expected = values.map((each) => JSON.parse(JSON.stringify(each)));
      const parse = (items: readonly RawItem[]) => items.map(({ bytes }) => JSON.parse(String(bytes)));
      const limit = 100_000;
      assert.deepEqual(parse(frame(createJsonFramer({ limit }), written(values), size)), expected);
      const document = written({ a: values, users: values, b: { users: values } });
      assert.deepEqual(parse(frame(createJsonFramer({ limit, member: "users" }), document, size)), expected);
      const lines = Buffer.concat(values.flatMap((each) => [written(each), Buffer.from("\n")]));
      assert.deepEqual(parse(frame(createJsonFramer({ limit }), lines, size)), expected);
    }),
  );
});

test("a file that ends early, or is not JSON, is refused", () => {
  for (const text of ['[{"a":1}', '[{"a":"', '{"users":[{}', "]", "a,b\n1,2", "[] []", "[]{}", '"text"', "12"]) {
    assert.throws(() => json(text, "users"), FramingError, text);
  }
  // What follows a complete entry does not take it back; it is known when it is read.
  assert.throws(() => json('{"a":1}\n{"b"'), FramingError);
});

test("giant entries and hostile depth take no memory, and only they are refused", () => {
  const giant = `{"a":"${"x".repeat(5000)}"}`;
  assert.deepEqual(json(`[{"a":1},${giant},{"b":2}]`, undefined, 100), ['{"a":1}', undefined, '{"b":2}']);
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assert.deepEqual(json(`{"x":${deep},"users":[{"a":1}]}`, "users"), ['{"a":1}']);
  const problemOf = (text: string | Buffer): string => {
    const parsed = parseJsonItem({ offset: 0, bytes: Buffer.from(text) });
    return "problem" in parsed ? parsed.problem : "";
  };
  assert.match(problemOf(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`), /deeper than 64/);
  assert.equal(problemOf('{"email":"a@b.example","\\u0065mail":"c@d.example"}'), "a member occurs twice");
  assert.equal(problemOf('{"a":{"b":1},"c":[{"b":1},{"b":2}],"b":"a"}'), "");
  assert.match(problemOf('{"__proto__":{"a":1}}'), /__proto__/);
  assert.equal(problemOf(Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])), "the entry is not UTF-8");
  assert.equal(problemOf("[1]"), "the entry is not an object");
  assert.equal(problemOf('{"a":1,}'), "malformed JSON");
});

const csv = (text: string, size?: number): readonly (string | undefined)[] =>
  texts(frame(createCsvFramer({ limit: 1000 }), Buffer.from(text), size));

test("records of CSV end at line breaks outside of quotes", () => {
  for (const size of [1, 3, 1000]) {
    assert.deepEqual(csv('a,b\r\n"1\r\n2",3\n\n"x""\n""y",\r4', size), ["a,b", '"1\r\n2",3', '"x""\n""y",', "4"]);
  }
  assert.throws(() => csv('a\n"never closed\nb'), FramingError);
  assert.deepEqual(csv(`a\n${"x".repeat(2000)}\nb`, 64), ["a", undefined, "b"]);
});

test("any record of CSV is read back", () => {
  const written = (fields: readonly string[]): string =>
    fields.map((each) => `"${each.replaceAll('"', '""')}"`).join(";");
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 5 }), (fields) => {
      assert.deepEqual(parseCsvRow(written(fields), ";"), fields);
      const [framed] = csv(`${written(fields)}\n`);
      assert.deepEqual(parseCsvRow(framed ?? "", ";"), fields);
    }),
  );
  assert.deepEqual(parseCsvRow("a,,", ","), ["a", "", ""]);
  assert.deepEqual(parseCsvRow("", ","), [""]);
  for (const text of ['a"b,c', '"a"b,c', '"a']) assert.equal(parseCsvRow(text, ","), undefined, text);
  assert.equal(guessDelimiter('"a,b";c;d'), ";");
  assert.equal(guessDelimiter("a\tb\tc"), "\t");
});

test("a digest table finds every text that was added, with its first number, and no other", () => {
  const table = createDigestTable(systemRandom);
  for (let count = 0; count < 5000; count++) table.add(`user-${count}`, count);
  table.add("user-7", 99);
  for (let count = 0; count < 5000; count++) assert.equal(table.get(`user-${count}`), count);
  assert.equal(table.get("user-5000"), undefined);
  assert.equal(table.get(""), undefined);
});

test("hashes are found by the ids of their users, wherever they are in the file, unless two users have the id", async (t) => {
  const entry = (oid: string, more: object = {}): string =>
    JSON.stringify({ _id: { $oid: oid }, passwordHash: `hash of ${oid}`, ...more });
  const long = { note: "x".repeat(10_000) };
  const entries = [entry("1"), entry("2", { alt_id: "euclid" }), entry("3", long), entry("4"), entry("4"), "{"];
  const others = [entry("5", { alt_id: "6" }), entry("6"), entry("7", { alt_id: "7" })];
  for (const text of [[...others, ...entries].join("\n"), `[${[...entries.slice(0, -1), ...others].join(",\n")}]`]) {
    const path = join(makeDirectory(t), "hashes");
    writeFileSync(path, text.replace(/\n\{$/, ""));
    const index = await openHashIndex(path, systemRandom);
    const found = await Promise.all(["1", "2", "euclid", "3", "4", "5", "6", "7", "8"].map(index.find));
    const hashes = [1, 2, 2, 3, undefined, 5, undefined, 7, undefined];
    assert.deepEqual(
      found,
      hashes.map((each) => each && `hash of ${each}`),
    );
    await index.close();
  }
});
