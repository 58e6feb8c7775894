import type { Reader } from "./database.ts";
import { type Sql, sql, text } from "./sql.ts";

/** So many rows at most are walked with a few conditions before a list counts as long. */
export const mostRows = 1024;

// Comparisons of a row with a value. SQLite makes them in five to ten milliseconds, in which nothing else happens.
const mostComparisons = 10_000;

const mark = "/* any number of rows */";

/**
 * Marks a condition, where it reads rows of which each row of the list may have any number: metadata, roles, domains.
 * How long it takes cannot be told by the number of rows in the list.
 */
export const ofAnyNumber: Sql = text(mark);

/**
 * Returns whether a list is read without waiting for a turn, because it has few rows for the number of comparisons with
 * each. The conditions show that number by their values: each comparison has at least one.
 */
export function isShort(rows: number, conditions: readonly Sql[]): boolean {
  if (conditions.some(({ shape }) => shape.sqlite.includes(mark))) return false;
  const compared = conditions.reduce((sum, { values }) => sum + values.length, 1);
  return rows <= mostRows && rows * compared <= mostComparisons;
}

/** Returns the reader of what may take long, where there is one beside the reader of everything else. */
export const readerAtLength = (reader: Reader): Reader => reader.atLength ?? reader;

/** Counts the rows of an instance, up to one more than a number. */
export async function countUpTo(
  reader: Reader,
  { from, instance }: { readonly from: Sql; readonly instance: Sql },
  most: number,
): Promise<number> {
  const some = sql`select 1 as "one" from ${from} where ${instance} limit ${most + 1}`;
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from (${some}) counted`);
  return row?.count ?? 0;
}
