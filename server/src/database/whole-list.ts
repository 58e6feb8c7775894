import type { Page } from "./list.ts";

const rowsAtOnce = 1000;
const tries = 3;

/**
 * Reads all rows of a list, for callers whose decision or answer needs all of them: a page may be any part of them,
 * because it ends earlier where its rows are long. Undefined where there are more than `most`, or where their number
 * changed in each try.
 */
export async function readWhole<Row>(
  most: number,
  readPage: (page: Page) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
): Promise<Row[] | undefined> {
  for (let count = 0; count < tries; count++) {
    const rows: Row[] = [];
    let expected: number | undefined;
    for (;;) {
      const { rows: more, total } = await readPage({ offset: rows.length, limit: rowsAtOnce });
      if (total > most) return undefined;
      rows.push(...more);
      expected ??= total;
      if (total !== expected) break;
      if (rows.length >= total) return rows;
      if (more.length === 0) break;
    }
  }
  return undefined;
}
