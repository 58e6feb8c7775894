import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescField } from "@bufbuild/protobuf";
import { eachEngine } from "../support/databases/databases.ts";
import { casesOf, isComposed } from "./support/filter-cases.ts";
import { type ListsFixtures, listMethodsOf, lists, startLists } from "./support/fixtures.ts";
import type { FilterCase, Item, List, OwnCases } from "./support/list.ts";

interface Asked {
  readonly name: string;
  readonly list: List;
  /** The field of the request that has the filters. */
  readonly field: string;
  readonly paging: string;
  readonly members: readonly DescField[];
  readonly complain: (what: string) => void;
}

eachEngine((_open, engine) => {
  test("each filter of each list finds what it says, and the total counts nothing else", async (t) => {
    const fixtures = await startLists(t, engine);
    const complaints: string[] = [];
    const asked = new Set<string>();
    let members = 0;
    let calls = 0;
    for (const method of await listMethodsOf(fixtures.server)) {
      const { input } = await method.loadDescriptor();
      const field = input.fields.find(({ name }) => name === "queries" || name === "filters");
      if (field?.message === undefined) continue;
      const name = method.list;
      const list = lists[name];
      if (list?.filters === undefined) {
        complaints.push(`${name} has no filters in support/`);
        continue;
      }
      asked.add(name);
      members += field.message.fields.length;
      calls += await askAll(fixtures, {
        name,
        list,
        field: field.jsonName,
        members: field.message.fields,
        paging: input.fields.some((one) => one.name === "pagination") ? "pagination" : "query",
        complain: (what) => void complaints.push(`${name}: ${what}`),
      });
    }
    const unasked = Object.entries(lists).filter(([name, list]) => list.filters !== undefined && !asked.has(name));
    assert.deepEqual(unasked, [], "filters of no list");
    assert.deepEqual(complaints, []);
    t.diagnostic(`${calls} calls, ${members} members of the filters of ${asked.size} lists`);
    assert.ok(members > 190, `${members} members`);
  });
});

/** Asks a list by every member of its filter, alone and together; tells how often it asked. */
async function askAll(fixtures: ListsFixtures, asked: Asked): Promise<number> {
  const { name, list, field, paging, members, complain } = asked;
  const always = list.always ?? [];
  const whole = { [paging]: { asc: true, limit: 1000 } };
  const { rows: items, total } = await fixtures.read(name, whole);
  if (items.length < 3 || total !== items.length) complain(`has ${items.length} rows, and says ${total}`);
  const known = new Set(members.map(({ jsonName }) => jsonName));
  for (const row of Object.keys(list.filters ?? {})) if (!known.has(row)) complain(`has no ${row}`);
  let calls = 0;
  const check = async (filters: readonly object[], means: FilterCase["means"]): Promise<void> => {
    calls++;
    const found = await fixtures.read(name, { ...whole, [field]: [...always, ...filters] });
    const expected = items.filter(means);
    if (found.total !== expected.length || text(found.rows) !== text(expected)) {
      complain(`${JSON.stringify(filters)} finds ${found.rows.length} and says ${found.total}, not ${expected.length}`);
    }
  };

  const plain: FilterCase[] = [];
  for (const member of members.toSorted((one, other) => Number(isComposed(one)) - Number(isComposed(other)))) {
    const row = list.filters?.[member.jsonName];
    const cases = casesOf(member, row, { things: fixtures.things, items, plain });
    if (cases.length === 0) complain(`nobody says what ${member.jsonName} means`);
    for (const { filter, means } of cases.filter(fixtures.takesPart)) await check([filter], means);
    if (!isComposed(member)) plain.push(...cases);
    const counts = cases.map(({ means }) => items.filter(means).length);
    const isVaried = counts.some((count) => count > 0) && counts.some((count) => count < items.length);
    if (!isVaried && (row as OwnCases | undefined)?.isEven !== true)
      complain(`${member.jsonName} has nothing to tell apart`);
  }
  // Filters beside one another all hold; one that says nothing is refused.
  const some = [0, 1, 2, 3].map((part) => plain[Math.floor((part * (plain.length - 1)) / 3)] ?? assert.fail(name));
  for (const [index, left] of some.entries()) {
    for (const right of some.slice(index + 1)) {
      await check([left.filter, right.filter], (item: Item) => left.means(item) && right.means(item));
    }
  }
  const { status } = await fixtures.ask(name, { [field]: [{}] });
  if (status !== 400) complain(`an empty filter is answered with ${status}`);
  return calls;
}

const text = (rows: readonly Item[]): string => JSON.stringify(rows);
