import type { Candidates } from "./leading.ts";
import type { TextMethod } from "./list.ts";
import { type Sql, sql } from "./sql.ts";

/** Folds the case of a text like `foldCase`, with the expression of the folded indexes (migrations 0040 and 0069). */
export const fold = (value: Sql): Sql => sql`replace(lower(${value}), 'ς', 'σ')`;

/**
 * Returns the rows that an index of a folded text finds for a whole text or its beginning. Ignoring case, all of them
 * match, unless the text contains a sigma, which has two small letters; then the filter decides.
 */
export function foldedCandidates(folded: Sql, method: TextMethod, value: string): Candidates | undefined {
  const isExact = method.endsWith("_ignore_case") && value !== "" && !/[σς]/.test(value.toLowerCase());
  return inOrder(folded, method, { value, indexed: fold(sql`${value}`), isExact });
}

/** Returns the rows that an index of a text without case, such as a number, finds for a whole text or its beginning. */
export const caselessCandidates = (column: Sql, method: TextMethod, value: string): Candidates | undefined =>
  inOrder(column, method, { value, indexed: sql`${value}`, isExact: value !== "" });

interface Wanted {
  readonly value: string;
  /** The value as stored in the index. */
  readonly indexed: Sql;
  readonly isExact: boolean;
}

function inOrder(column: Sql, method: TextMethod, { value, indexed, isExact }: Wanted): Candidates | undefined {
  switch (method) {
    case "equals":
    case "equals_ignore_case":
      return { condition: sql`${column} = ${indexed}`, isExact, inOrderOf: column };
    case "starts_with":
    case "starts_with_ignore_case":
      return value === "" ? undefined : { condition: startsWith(column, indexed), isExact, inOrderOf: column };
    default:
      return undefined;
  }
}

// Up to the last of all code points, twice: no text with the prefix is greater.
const startsWith = (column: Sql, prefix: Sql): Sql =>
  sql`${column} >= ${prefix} and ${column} < ${prefix} || '\u{10ffff}\u{10ffff}'`;
