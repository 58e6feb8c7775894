import { readerAtLength } from "./at-length.ts";
import type { Reader } from "./database.ts";
import type { Sql } from "./sql.ts";

// As many are read in a moment.
const fewDetails = 2000;
const mostDetails = 20_000;

/** Selects what belongs to the rows with these ids, up to a limit. */
type SelectDetails = (ids: readonly string[], limit: number) => Sql;

/** What belongs to the rows of a list, and to how many of the rows, from the first, it was read. */
interface RowDetails<Detail> {
  readonly details: Detail[];
  readonly rows: number;
}

/**
 * Reads what belongs to the rows of a list, where each of them may have any number: roles of assignments. A page with
 * more than 20,000 of them ends earlier than it would otherwise, after one row at least. `select` has no order, so that
 * it ends at its limit.
 */
export async function readDetails<Detail>(
  reader: Reader,
  ids: readonly string[],
  select: SelectDetails,
): Promise<RowDetails<Detail>> {
  if (ids.length === 0) return { details: [], rows: 0 };
  const details = await reader.all<Detail>(select(ids, fewDetails + 1));
  return details.length <= fewDetails ? { details, rows: ids.length } : readMany(readerAtLength(reader), ids, select);
}

async function readMany<Detail>(
  reader: Reader,
  ids: readonly string[],
  select: SelectDetails,
): Promise<RowDetails<Detail>> {
  const details = await reader.all<Detail>(select(ids, mostDetails + 1));
  if (details.length <= mostDetails || ids.length === 1) return { details, rows: ids.length };
  return readMany(reader, ids.slice(0, Math.ceil(ids.length / 8)), select);
}
