import type { Reader } from "./database.ts";
import { list, type Sql, sql } from "./sql.ts";

/** Rows that an index finds, among whom all are for which a filter holds. */
export interface Candidates {
  readonly condition: Sql;
  /** Whether the filter holds for each of them, so that nobody needs to ask again. */
  readonly isExact: boolean;
  /** Whether they are one piece of an index, so that many of them are still counted there rather than among all rows. */
  readonly isInOrder?: true;
  /** No more than so many, where that is known without a look. */
  readonly atMost?: number;
  /** A statement of the ids (`id`) of so many of them, where a look at the first ones costs less by it than by the condition. */
  readonly first?: (count: number) => Sql;
  /** How many there are, where that is kept with the rows: an expression that costs next to nothing. */
  readonly count?: Sql;
}

/** A filter of a list. */
export interface ListFilter {
  /** Whether it holds for a row that was found, in words that no index has: it never leads an engine away from the chosen way. */
  readonly condition: Sql;
  readonly candidates: Candidates | undefined;
}

/** What a list is of. */
export interface ListedTable {
  readonly from: Sql;
  /** The condition that a row is of the instance. */
  readonly instance: Sql;
  /** What a row is named by, inside of the instance. */
  readonly id: Sql;
}

/** How a list is read: conditions of its page, whether they leave few rows, and conditions that count it. */
export interface ListPlan {
  readonly where: readonly Sql[];
  readonly isOfFew: boolean;
  readonly counted: readonly Sql[];
}

// So many rows are found and put in order; more are rather met on a walk along the order, where there are enough of them.
const few = 5000;
// So many are found once, and named in the statements that follow; more are found again.
const fewEnoughToName = 1024;

/**
 * Decides how to read a list, so that its size does not count. Either the filter that leaves the fewest rows leads to all of them, by its
 * index, and they are put in order; or the order leads, by an index of its own, and the filters pick on the way. Engines cannot know which:
 * SQLite has no statistics, and those of PostgreSQL know nothing of a text inside of another.
 */
export async function planList(reader: Reader, table: ListedTable, filters: readonly ListFilter[]): Promise<ListPlan> {
  const leading = await findLeading(reader, table, filters);
  const where = filters.flatMap(({ condition }, index) => {
    if (leading?.index !== index) return [condition];
    return leading.isExact ? [leading.condition] : [leading.condition, condition];
  });
  if (leading !== undefined) return { where, isOfFew: true, counted: where };
  const counted = filters.flatMap(({ condition, candidates }) => {
    if (candidates?.isExact === true) return [candidates.condition];
    return candidates?.isInOrder === true ? [candidates.condition, condition] : [condition];
  });
  return { where, isOfFew: false, counted };
}

/** The order of a list that is read so. Few rows are put in an order that no index has, so that the engine does not walk along one. */
export function orderOf({ isOfFew }: ListPlan, column: Sql, type: "text" | "instant"): Sql {
  if (!isOfFew) return column;
  return type === "instant" ? sql`${column} + 0` : sql`${column} || ''`;
}

/** The candidates that are fewest, if they are few, and which filter's they are. */
async function findLeading(
  reader: Reader,
  table: ListedTable,
  filters: readonly ListFilter[],
): Promise<(Candidates & { readonly index: number }) | undefined> {
  const all = filters.flatMap(({ candidates }, index) => (candidates === undefined ? [] : [{ ...candidates, index }]));
  const [known] = all.filter(({ atMost }) => atMost !== undefined).sort((a, b) => (a.atMost ?? 0) - (b.atMost ?? 0));
  if (known !== undefined) return known;
  const looked = await Promise.all(all.map(async (each) => ({ ...each, ...(await look(reader, table, each)) })));
  const [least] = looked.sort((a, b) => a.found - b.found);
  return least === undefined || least.found > few ? undefined : least;
}

/**
 * A condition of the rows that were found, in words that no index has. PostgreSQL takes it for one that nearly all rows meet, and so goes on along
 * the order that leads; of two texts that are equal it believes that few are, and would rather read everything.
 */
export const picked = (condition: Sql): Sql => sql`(case when ${condition} then 1 end) is not null`;

/** How many candidates there are, up to one more than few; if so few that they can be named, they are. */
async function look(
  reader: Reader,
  { from, instance, id }: ListedTable,
  candidates: Candidates,
): Promise<Candidates & { readonly found: number }> {
  const where = sql`${instance} and ${candidates.condition}`;
  if (candidates.count !== undefined) {
    const kept = await reader.maybe<{ count: number }>(sql`select ${candidates.count} as "count"`);
    const found = kept?.count ?? 0;
    if (found > fewEnoughToName) return { ...candidates, found };
  }
  const first = candidates.first ?? ((count) => sql`select ${id} as "id" from ${from} where ${where} limit ${count}`);
  const rows = await reader.all<{ id: string }>(first(fewEnoughToName + 1));
  if (rows.length <= fewEnoughToName) {
    // Whoever changed since was found for what is no longer true of him.
    return { condition: sql`${id} in ${list(rows.map((row) => row.id))}`, isExact: false, found: rows.length };
  }
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from (${first(few + 1)}) few`);
  return { ...candidates, found: row?.count ?? 0 };
}
