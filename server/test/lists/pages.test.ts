import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { isTurnOf } from "../support/databases/turns.ts";
import { type ListsFixtures, listMethodsOf, lists, startLists } from "./support/fixtures.ts";
import type { Item } from "./support/list.ts";

eachEngine((_open, engine) => {
  test("each list runs up and down, in pages that are its parts, and never on more than a thousand rows", async (t) => {
    const fixtures = await startLists(t, engine);
    const complaints: string[] = [];
    const asked = new Set<string>();
    for (const method of await listMethodsOf(fixtures.server)) {
      const { input } = await method.loadDescriptor();
      const paging = input.fields.find(({ message }) => message?.fields.some(({ name }) => name === "offset"));
      if (paging === undefined) continue;
      asked.add(method.list);
      const complain = (what: string): void => void complaints.push(`${method.list} ${what}`);
      if (lists[method.list] === undefined) complain("has no row in support/");
      else if (isTurnOf(engine, method.list)) await checkPages(fixtures, method.list, paging.jsonName, complain);
    }
    assert.deepEqual(
      Object.keys(lists).filter((name) => !asked.has(name)),
      [],
      "rows of no list",
    );
    assert.deepEqual(complaints, []);
    assert.ok(asked.size > 60, `${asked.size} lists`);
  });
});

async function checkPages(
  { read, ask }: ListsFixtures,
  name: string,
  paging: string,
  complain: (what: string) => void,
): Promise<void> {
  const page = (given: object): object => ({ [paging]: given });
  const up = await read(name, page({ asc: true }));
  const usual = await read(name, {});
  const { isShort = false, isAsChosen = false } = lists[name] ?? {};
  if (up.rows.length < 3 && !isShort) complain(`has only ${up.rows.length}`);
  const wanted = isAsChosen ? usual.rows : usual.rows.toReversed();
  if (text(wanted) !== text(up.rows)) complain("does not run downwards, unless asked to run upwards");
  const paged: Item[] = [];
  for (let offset = 0; offset < up.rows.length; offset += 2) {
    const { rows, total } = await read(name, page({ asc: true, offset, limit: 2 }));
    if (total !== up.rows.length) complain(`says ${total} of ${up.rows.length}`);
    paged.push(...rows);
  }
  if (text(paged) !== text(up.rows)) complain("has other pages");
  const { rows, total } = await read(name, page({ offset: 1000 }));
  if (rows.length !== 0 || total !== up.rows.length) complain(`behind its end has ${rows.length} and says ${total}`);
  const { status } = await ask(name, page({ limit: 1001 }));
  if (status !== 400) complain(`answers ${status} to who wants more than 1,000`);
}

const text = (rows: readonly Item[]): string => JSON.stringify(rows);
