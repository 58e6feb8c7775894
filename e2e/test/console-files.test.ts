import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileProblem, readUserFile, type UserFile } from "../../console/src/pages/transfer/read-user-file.ts";

const csv = (text: string | Uint8Array<ArrayBuffer>) =>
  readUserFile(new File([text], "a.csv"), () => ({ kind: "csv" }));
const json = (text: string, member?: string) =>
  readUserFile(new File([text], "a.json"), () => ({ kind: "json", ...(member !== undefined && { member }) }));

/** Returns what was read of each entry, or why the file was not. */
function entriesOf(read: UserFile | FileProblem): unknown {
  if (typeof read === "string") return read;
  return read.entries.map((entry) => [entry.row, "record" in entry ? entry.record : entry.problem]);
}

test("the console cuts a table into its rows, whatever its separator, quotes, line ends and mark", async () => {
  const rows = [
    [2, { id: "1", note: 'two\nlines, "quoted"' }],
    [3, { id: "2", note: "" }],
  ];
  for (const separator of [",", ";", "\t", "|"]) {
    for (const end of ["\n", "\r\n"]) {
      const lines = [["id", "note"], ["1", '"two\nlines, ""quoted"""'], [], ["2", ""]];
      const read = await csv(`\ufeff${lines.map((fields) => fields.join(separator)).join(end)}`);
      assert.deepEqual(entriesOf(read), rows);
    }
  }
  const short = entriesOf(await csv("id,note\n1\n2,x"));
  assert.deepEqual(short, [
    [2, "the record has 1 fields, and the header 2"],
    [3, { id: "2", note: "x" }],
  ]);
});

test("the console reads lists, lists in a member, and objects one after the other", async () => {
  const two = [
    [1, { id: "a" }],
    [2, { id: "b" }],
  ];
  assert.deepEqual(entriesOf(await json(' [{"id":"a"},{"id":"b"}]')), two);
  assert.deepEqual(entriesOf(await json('{"realm":"x","users":[{"id":"a"},{"id":"b"}]}', "users")), two);
  assert.deepEqual(entriesOf(await json('{"id":"a"}\n\n{"id":"b"}\n')), two);
  assert.deepEqual(entriesOf(await json('{"id":"a"}\n{"id":"b","id":"c"}\n["d"]')), [
    two[0],
    [2, "a member occurs twice"],
    [3, "the entry is not an object"],
  ]);
});

test("the console refuses files that have another form, or that say two things", async () => {
  for (const text of ["", "\n\n", "id,id\n1,2", "id\n"]) assert.equal(await csv(text), "form", text);
  assert.equal(await csv(new Uint8Array([0x69, 0x64, 0x0a, 0xff])), "form");
  for (const text of ["", "x", "[]", '[{"id":"a","id":"b"}]', '{"users":{}}', "[".repeat(100)]) {
    assert.equal(await json(text, "users"), "form", text);
  }
  const rows = await csv(`id\n${"1\n".repeat(100_001)}`);
  assert.equal(rows, "count");
  assert.equal(await csv(`id\n${"1".repeat(50_000_000)}`), "size");
});
