import assert from "node:assert/strict";
import { test } from "node:test";
import { isLong } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { administrators } from "./lifecycle/administrators.ts";
import { providers } from "./lifecycle/providers.ts";
import { demandedRoles, roles } from "./lifecycle/roles.ts";
import type { Table } from "./lifecycle/table.ts";
import { tokens } from "./lifecycle/tokens.ts";
import { type Estate, makeEstate } from "./support/estate.ts";

/**
 * Goes through rows of a table: uses everything, ends something, and compares what was found with what the grid says.
 */
async function prove(estate: Estate, { held, once, grid, make }: Table, isAsked: () => boolean): Promise<number> {
  const asked = Object.entries(grid).filter(isAsked);
  const found: Record<string, string> = {};
  for (const [ending] of asked) {
    const { good, endings } = await make(estate, ending);
    assert.deepEqual(Object.keys(endings).toSorted(), Object.keys(grid).toSorted());
    assert.deepEqual(Object.keys(good).toSorted(), held.toSorted());
    for (const name of questionsOf(good, held).filter((each) => !once.includes(each))) {
      assert.equal(toSign(await good[name]?.()), ".", `${name}, before ${ending}`);
    }
    await endings[ending]?.();
    const signs: string[] = [];
    for (const name of questionsOf(good, held)) signs[held.indexOf(name)] = toSign(await good[name]?.());
    found[ending] = signs.join("");
  }
  assert.deepEqual(found, Object.fromEntries(asked.map(([ending, marks]) => [ending, marks.replaceAll(" ", "")])));
  return asked.length;
}

// In the order in which they were written: what works once, or leaves something behind, comes last.
const questionsOf = (good: object, held: readonly string[]): string[] =>
  Object.keys(good).filter((name) => held.includes(name));

const toSign = (verdict: boolean | string | undefined): string =>
  typeof verdict === "string" ? verdict : verdict === true ? "." : "x";

eachEngine((_open, engine) => {
  test("whatever is ended stops working with the response, and whatever does not depend on it keeps working", async (t) => {
    const estate = await makeEstate(t, engine);
    let number = engine === "sqlite" ? 0 : 4;
    // The short version takes every twelfth, the other engine others.
    const isAsked = (): boolean => isLong() || number++ % 12 === 0;
    for (const table of [tokens, roles, demandedRoles, administrators, providers(t)]) {
      await t.test(table.name, async (s) => s.diagnostic(`${await prove(estate, table, isAsked)} rows`));
    }
  });
});
