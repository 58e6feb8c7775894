import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { isTurnOf } from "../support/databases/turns.ts";
import { type ListsFixtures, listMethodsOf, lists, startLists } from "./support/fixtures.ts";
import type { Item, List } from "./support/list.ts";

/** Returns the columns of a list by the ends of their names: `AUTHORIZATION_FIELD_NAME_USER_ID` is `USER_ID`. */
const endOf = (column: string): string => /(?:FIELD_NAME|SORT_BY)_(\w+)$/.exec(column)?.[1] ?? column;

const compare = (left: string | number, right: string | number): number => (left < right ? -1 : left > right ? 1 : 0);

interface Column {
  readonly name: string;
  readonly list: List;
  readonly paging: string;
  readonly sortingColumn: string;
  readonly complain: (what: string) => void;
}

eachEngine((_open, engine) => {
  test("each list has each of its columns, up and down, whole and in pages", async (t) => {
    const fixtures = await startLists(t, engine);
    const complaints: string[] = [];
    let columns = 0;
    const asked = new Set<string>();
    for (const method of await listMethodsOf(fixtures.server)) {
      const { input } = await method.loadDescriptor();
      const column = input.fields.find(({ name }) => name === "sorting_column");
      if (column?.enum === undefined) continue;
      const name = method.list;
      asked.add(name);
      const list = lists[name];
      if (list?.columns === undefined) {
        complaints.push(`${name} has no columns in support/`);
        continue;
      }
      const paging = input.fields.some((field) => field.name === "pagination") ? "pagination" : "query";
      const complain = (what: string): void => void complaints.push(`${name}: ${what}`);
      for (const { name: sortingColumn, number } of column.enum.values) {
        if (number === 0) continue;
        columns++;
        if (!isTurnOf(engine, `${name} by ${sortingColumn}`)) continue;
        await checkColumn(fixtures, {
          name,
          list,
          paging,
          sortingColumn,
          complain: (what) => complain(`by ${sortingColumn} ${what}`),
        });
      }
      // A column that the contract does not know is refused or ignored.
      const [usual, unknown] = [await fixtures.ask(name, {}), await fixtures.ask(name, { sortingColumn: 9999 })];
      const rowsOf = ({ body }: typeof usual): string => JSON.stringify(body[list.rows]);
      const isNone = unknown.status === 200 && rowsOf(unknown) === rowsOf(usual);
      if (unknown.status !== 400 && !isNone) complain(`an unknown column is answered with ${unknown.status}`);
    }
    assert.deepEqual(
      Object.entries(lists).filter(([name, list]) => list.columns !== undefined && !asked.has(name)),
      [],
      "columns of no list",
    );
    assert.deepEqual(complaints, []);
    assert.ok(columns > 105, `${columns} columns`);
  });
});

async function checkColumn({ read }: ListsFixtures, column: Column): Promise<void> {
  const { name, list, paging, sortingColumn, complain } = column;
  const look = list.columns?.[endOf(sortingColumn)];
  if (look === undefined) return complain("stands nobody knows where");
  const up = await read(name, { sortingColumn, [paging]: { asc: true } });
  const down = await read(name, { sortingColumn, [paging]: { asc: false } });
  const values = up.rows.map(look);
  if (up.rows.length < 3) complain(`has only ${up.rows.length}`);
  const isAlike = list.alike?.includes(endOf(sortingColumn)) ?? false;
  if (new Set(values).size < 2 !== isAlike) complain(`is ${new Set(values).size} different values`);
  if (JSON.stringify(values) !== JSON.stringify(values.toSorted(compare))) complain(`is ${values.join()}`);
  if (JSON.stringify(up.rows) !== JSON.stringify(down.rows.toReversed())) complain("downwards is another order");
  const paged: Item[] = [];
  for (let offset = 0; offset < up.total; offset += 2) {
    const page = await read(name, { sortingColumn, [paging]: { asc: true, offset, limit: 2 } });
    if (page.total !== up.rows.length) complain(`says ${page.total} of ${up.rows.length}`);
    paged.push(...page.rows);
  }
  if (JSON.stringify(paged) !== JSON.stringify(up.rows)) complain("has other pages");
}
