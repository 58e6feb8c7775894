import type { Reader } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** Rows that an index finds, among whom all are for which a filter holds. */
export interface Candidates {
  readonly condition: Sql;
  /** Whether the filter holds for each of them, so that nobody needs to ask again. */
  readonly isExact: boolean;
  /** No more than so many, where that is known without a look. */
  readonly atMost?: number;
}

/** A filter of a list. */
export interface ListFilter {
  /** Whether it holds for a row that was found, in words that no index has: it never leads an engine away from the chosen way. */
  readonly condition: Sql;
  readonly candidates: Candidates | undefined;
}

/** How a list is read: conditions of its page, whether they leave few rows, and conditions that count it. */
export interface ListPlan {
  readonly where: readonly Sql[];
  readonly isOfFew: boolean;
  readonly counted: readonly Sql[];
}

// So many rows are found and put in order; more are rather met on a walk along the order, where there are enough of them.
const few = 5000;

/**
 * Decides how to read a list, so that its size does not count. Either the filter that leaves the fewest rows leads to all of them, by its
 * index, and they are put in order; or the order leads, by an index of its own, and the filters pick on the way. Engines cannot know which:
 * SQLite has no statistics, and those of PostgreSQL know nothing of a text inside of another.
 */
export async function planList(
  reader: Reader,
  table: { readonly from: Sql; readonly instance: Sql },
  filters: readonly ListFilter[],
): Promise<ListPlan> {
  const leading = await findLeading(reader, table, filters);
  const where = filters.flatMap(({ condition }, index) => {
    if (leading?.index !== index) return [condition];
    return leading.isExact ? [leading.condition] : [leading.condition, condition];
  });
  if (leading !== undefined) return { where, isOfFew: true, counted: where };
  const counted = filters.map(({ condition, candidates }) =>
    candidates?.isExact === true ? candidates.condition : condition,
  );
  return { where, isOfFew: false, counted };
}

/** The candidates that are fewest, if they are few, and which filter's they are. */
async function findLeading(
  reader: Reader,
  { from, instance }: { readonly from: Sql; readonly instance: Sql },
  filters: readonly ListFilter[],
): Promise<(Candidates & { readonly index: number }) | undefined> {
  const all = filters.flatMap(({ candidates }, index) => (candidates === undefined ? [] : [{ ...candidates, index }]));
  const known = all.find(({ atMost = Number.POSITIVE_INFINITY }) => atMost <= few);
  if (known !== undefined) return known;
  const counts = await Promise.all(
    all.map(async ({ condition }) => {
      const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count"
        from (select 1 as "one" from ${from} where ${instance} and ${condition} limit ${few + 1}) few`);
      return row?.count ?? 0;
    }),
  );
  const least = Math.min(...counts);
  return least > few ? undefined : all[counts.indexOf(least)];
}
