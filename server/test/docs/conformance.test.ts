import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/conformance.md"), "utf8");

interface Row {
  readonly id: string;
  readonly statement: string;
  readonly section: string;
  readonly proofs: readonly { readonly file: string; readonly title: string }[];
}

function readRows(text: string): Row[] {
  let section = "";
  const rows: Row[] = [];
  for (const line of text.split("\n")) {
    section = /^## (.+)$/.exec(line)?.[1] ?? section;
    const [, id = "", statement = "", proof = ""] =
      /^\| ([A-Z]{2}-\d\d[a-z]?) \| (.+?) \| ?(.*?) ?\|$/.exec(line) ?? [];
    if (id === "") continue;
    const proofs = [...proof.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, file = "", title = ""]) => ({ file, title }));
    assert.equal(
      proof.replaceAll(/`[^`]+` "[^"]+"/g, "").trim(),
      "",
      `${id}: a proof is \`file\` "title", and nothing beside it`,
    );
    rows.push({ id, statement, section, proofs });
  }
  return rows;
}

const pathOf = (file: string): string =>
  file.startsWith("e2e/") ? `e2e/test/${file.slice(4)}.test.ts` : `server/test/${file}.test.ts`;

/** Titles of the tests of a file, as they are written; a title that is put together matches whatever is put in. */
function titlesOf(file: string): RegExp[] {
  const source = readFileSync(join(root, pathOf(file)), "utf8");
  const calls = source.matchAll(/\b(?:test|both|browserTest)\(\s*(["`'])((?:\\.|(?!\1)[^\\])*)\1/gs);
  return [...calls].map(([, , title = ""]) => {
    const literal = title.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${literal.join(".+")}$`);
  });
}

const rows = readRows(page);
const isOpen = ({ section }: Row): boolean => section === "Not yet";

test("every test that docs/conformance.md names exists", () => {
  const known = new Map<string, RegExp[]>();
  for (const { id, proofs } of rows) {
    for (const { file, title } of proofs) {
      assert.ok(existsSync(join(root, pathOf(file))), `${id}: there is no ${pathOf(file)}`);
      if (!known.has(file)) known.set(file, titlesOf(file));
      assert.ok(
        known.get(file)?.some((pattern) => pattern.test(title)),
        `${id}: ${pathOf(file)} has no test "${title}"`,
      );
    }
  }
  assert.ok(known.size > 10, "the table is not read any more");
});

test("a row of docs/conformance.md has a test, or stands under Not yet", () => {
  for (const row of rows) {
    if (isOpen(row)) assert.deepEqual(row.proofs, [], `${row.id} has a test: move it to its section`);
    else assert.ok(row.proofs.length > 0, `${row.id} has no test: it belongs under Not yet`);
  }
});

test("every row of docs/conformance.md has an id of its own, those of a section begin alike and are in order", () => {
  const prefixes = new Map<string, string>();
  const seen = new Set<string>();
  let last = { section: "", id: "" };
  for (const { id, section } of rows) {
    assert.ok(!seen.has(id), `${id} is there twice`);
    seen.add(id);
    if (section !== "Not yet") {
      const prefix = id.slice(0, 2);
      assert.equal(prefixes.get(section) ?? prefix, prefix, `${id} is no row of "${section}"`);
      prefixes.set(section, prefix);
      assert.ok(section !== last.section || last.id < id, `${id} comes before ${last.id}`);
    }
    last = { section, id };
  }
  assert.equal(new Set(prefixes.values()).size, prefixes.size, "two sections begin alike");
});
