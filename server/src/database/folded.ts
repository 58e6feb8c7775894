import type { Candidates } from "./leading.ts";
import type { TextMethod } from "./list.ts";
import { type Sql, sql } from "./sql.ts";

/** A text without its case, as `foldCase` does it, in the words of the indexes that are in this order (migrations 0040 and 0069). */
export const fold = (value: Sql): Sql => sql`replace(lower(${value}), 'ς', 'σ')`;

/**
 * The rows that an index of a folded text finds for a whole text or its beginning. Without regard to case they are all meant, as long as the text has
 * no sigma, which has two small letters; with it, the filter says which.
 */
export function foldedCandidates(folded: Sql, method: TextMethod, value: string): Candidates | undefined {
  const isExact = method.endsWith("_ignore_case") && value !== "" && !/[σς]/.test(value.toLowerCase());
  switch (method) {
    case "equals":
    case "equals_ignore_case":
      return { condition: sql`${folded} = ${fold(sql`${value}`)}`, isExact, isInOrder: true };
    case "starts_with":
    case "starts_with_ignore_case":
      return value === "" ? undefined : { condition: startsWith(folded, value), isExact, isInOrder: true };
    default:
      return undefined;
  }
}

// Up to the last of all code points, twice: no text that has the prefix is greater.
const startsWith = (folded: Sql, value: string): Sql =>
  sql`${folded} >= ${fold(sql`${value}`)} and ${folded} < ${fold(sql`${value}`)} || '\u{10ffff}\u{10ffff}'`;
