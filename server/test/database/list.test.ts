import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, readList, sql, type TextMethod, text, textFilter } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

// Everything that a pattern, a collation or a case table could stumble over.
const words = [
  "",
  "a",
  "A",
  "ab",
  "aB",
  "a%",
  "%",
  "_",
  "a_b",
  "a\\b",
  "\\",
  "\\%",
  "ä",
  "Ä",
  "aÄb",
  "ß",
  "SS",
  "Σας",
  "ΣΑΣ",
  "İ",
];
const values = [
  ...words,
  "i",
  "ı",
  "日本",
  "本",
  "😀",
  "a😀b",
  "Ǆ",
  "ǆ",
  "é",
  "e\u0301",
  "É",
  "b",
  "B%",
  "'",
  '"',
  "a'b",
  "%a_",
];

const expected: Record<TextMethod, (whole: string, part: string) => boolean> = {
  equals: (whole, part) => whole === part,
  equals_ignore_case: (whole, part) => whole.toLowerCase() === part.toLowerCase(),
  starts_with: (whole, part) => whole.startsWith(part),
  starts_with_ignore_case: (whole, part) => whole.toLowerCase().startsWith(part.toLowerCase()),
  contains: (whole, part) => whole.includes(part),
  contains_ignore_case: (whole, part) => whole.toLowerCase().includes(part.toLowerCase()),
  ends_with: (whole, part) => whole.endsWith(part),
  ends_with_ignore_case: (whole, part) => whole.toLowerCase().endsWith(part.toLowerCase()),
};

async function fill(database: Database, entries: readonly string[]): Promise<void> {
  await database.touch(testCall(), async (tx) => {
    for (const [index, value] of entries.entries()) {
      await tx.run(sql`insert into metadata
        (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
        values ('instance-1', 'user', ${`${index}`.padStart(4, "0")}, 'name', ${value}, ${index % 3}, 0)`);
    }
  });
}

const base = {
  columns: text('owner_id as "id", metadata_value as "value"'),
  from: text("metadata"),
  id: text("owner_id"),
} as const;
const ofInstance = sql`instance_id = ${"instance-1"}`;

eachEngine((open) => {
  test("a text filter finds what the same comparison finds in the program, with any characters", async (t) => {
    const database = await open(t);
    await fill(database, values);
    for (const [method, holds] of Object.entries(expected)) {
      for (const part of values) {
        const where = [ofInstance, textFilter(text("metadata_value"), method as TextMethod, part)];
        const page = { offset: 0, limit: 1000 };
        const found = await readList<{ value: string }>(database.read, {
          ...base,
          orderBy: text("owner_id"),
          where,
          page,
        });
        const wanted = values.filter((whole) => holds(whole, part));
        assert.deepEqual(
          found.rows.map(({ value }) => value),
          wanted,
          `${method} ${JSON.stringify(part)}`,
        );
        assert.equal(found.total, wanted.length);
      }
    }
  });

  test("text is ordered by its bytes", async (t) => {
    const database = await open(t);
    await fill(database, values);
    const page = { offset: 0, limit: 1000 };
    const { rows } = await readList<{ value: string }>(database.read, {
      ...base,
      where: [ofInstance],
      orderBy: text("metadata_value"),
      page,
    });
    const wanted = values.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      rows.map(({ value }) => value),
      wanted,
    );
  });

  test("pages join to the whole list, in both directions, when many rows are equal in the order", async (t) => {
    const database = await open(t);
    await fill(database, values);
    const ids = values.map((_, index) => `${index}`.padStart(4, "0"));
    const ascending = ids.toSorted((a, b) => (Number(a) % 3) - (Number(b) % 3) || a.localeCompare(b));
    for (const isDescending of [false, true]) {
      const seen: string[] = [];
      for (let offset = 0; offset < ids.length + 5; offset += 5) {
        const page = { offset, limit: 5 };
        const list = { ...base, where: [ofInstance], orderBy: text("created_at"), isDescending, page };
        const { rows, total } = await readList<{ id: string }>(database.read, list);
        assert.equal(total, ids.length, `total at ${offset}`);
        seen.push(...rows.map(({ id }) => id));
      }
      assert.deepEqual(seen, isDescending ? ascending.toReversed() : ascending);
    }
  });

  test("far pages join to the whole list too, from whichever end they are read", async (t) => {
    const database = await open(t);
    const many = Array.from({ length: 2501 }, (_each, index) => `${index}`);
    await fill(database, many);
    const ids = many.map((_, index) => `${index}`.padStart(4, "0"));
    const ascending = ids.toSorted((a, b) => (Number(a) % 3) - (Number(b) % 3) || a.localeCompare(b));
    const total = sql`(select count(*) from metadata where ${ofInstance})`;
    for (const isDescending of [false, true]) {
      const wanted = isDescending ? ascending.toReversed() : ascending;
      for (const offset of [900, 1000, 1200, 1201, 1249, 1250, 1251, 1300, 2400, 2401, 2402, 2500, 2501, 9999]) {
        const page = { offset, limit: 100 };
        const list = { ...base, where: [ofInstance], orderBy: text("created_at"), isDescending, page, total };
        const found = await readList<{ id: string }>(database.read, list);
        assert.deepEqual(
          found.rows.map(({ id }) => id),
          wanted.slice(offset, offset + 100),
          `${offset}`,
        );
        assert.equal(found.total, ids.length);
      }
    }
  });

  test("a list of nothing has the total 0", async (t) => {
    const database = await open(t);
    const list = { ...base, where: [ofInstance], orderBy: text("created_at"), page: { offset: 0, limit: 5 } };
    assert.deepEqual(await readList(database.read, list), { rows: [], total: 0 });
  });
});
