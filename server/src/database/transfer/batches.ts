import type { SqlValue } from "../sql.ts";

/** Rows of a batch. */
export const mostRows = 500;
/** Characters of a batch, more or less: a single row can have pictures or scripts of half a million. */
export const mostCharacters = 2_000_000;

/** Returns how many characters the texts of a row have. */
export function charactersOf(row: readonly SqlValue[]): number {
  let count = 0;
  for (const value of row) if (typeof value === "string") count += value.length;
  return count;
}
