import { countUpTo, isShort, mostRows, readerAtLength } from "./at-length.ts";
import type { Reader } from "./database.ts";
import { join, list, type Sql, sql, text } from "./sql.ts";

/** Rows that an index finds, which include all rows that pass a filter. */
export interface Candidates {
  readonly condition: Sql;
  /** Whether the filter holds for each of them, so that it need not be checked again. */
  readonly isExact: boolean;
  /**
   * The expression of an index in which they are contiguous, so that counting many of them is still faster there than
   * among all rows.
   */
  readonly inOrderOf?: Sql;
  /** An upper bound of their number, where it is known without a query. */
  readonly atMost?: number;
  /**
   * Returns a statement for the ids (`id`) of that many of them, where that finds the first ones faster than the
   * condition.
   */
  readonly first?: (count: number) => Sql;
  /** Their number, where it is kept with the rows: an expression that costs next to nothing. */
  readonly count?: Sql;
  /** Parts that together have all candidates, each found by an index of its own. */
  readonly parts?: readonly Part[] | undefined;
}

/** Rows of a list that an index finds one after another, each of them once. */
export interface Part {
  /** The table of the list, or a join with it. */
  readonly from: Sql;
  readonly where: Sql;
  /** The expression of the index that finds them, where they are contiguous in it. */
  readonly inOrderOf?: Sql | undefined;
}

/** A filter of a list. */
export interface ListFilter {
  /** Whether a found row passes, in an expression that no index has, so that it cannot change the engine's plan. */
  readonly condition: Sql;
  readonly candidates: Candidates | undefined;
}

/** The table of a list. */
export interface ListedTable {
  readonly from: Sql;
  /** The condition that a row belongs to the instance. */
  readonly instance: Sql;
  /** The identifier of a row within the instance. */
  readonly id: Sql;
}

/** What a caller may see of a list. */
export interface VisibleRows {
  readonly condition: Sql;
  /** The same rows by indexes alone, without a search. */
  readonly candidates: Candidates;
  /** Whether these are only the caller's own rows, however many others there are. */
  readonly isOwn: boolean;
}

/** How to read a list: the conditions of its page, whether they match few rows, and the conditions for counting. */
export interface ListPlan {
  readonly where: readonly Sql[];
  readonly isOfFew: boolean;
  readonly counted: CountPlan;
  /** Reads the list, and what belongs to it: apart from others when that may take long. */
  readonly reader: Reader;
}

/** How to count the rows of a list: all of them, or up to a number. */
export interface CountPlan {
  readonly whole: readonly Sql[];
  readonly upTo: readonly Sql[];
  /** Candidates that include all rows of the list, found part by part; many, but perhaps few among all. */
  readonly searched: Searched | undefined;
}

/** Candidates in parts. */
type Searched = Found & { readonly parts: readonly Part[] };

// Up to this number, rows are found by their filter and sorted. Beyond it, a walk along the order meets enough of them.
const few = 5000;
// Up to this number, rows are found once and listed by id in the following statements; more are found again.
const fewEnoughToName = 1024;

/**
 * Decides how to read a list, so that its size does not matter. Either the most selective filter finds its rows by an
 * index, and they are sorted. Or the engine walks along the index of the order, and the filters select on the way.
 * Engines cannot decide this themselves: SQLite has no statistics, and those of PostgreSQL do not cover substrings.
 * What the caller may see comes first: a caller who sees little makes no search among the rows of others.
 */
export async function planList(
  reader: Reader,
  table: ListedTable,
  filters: readonly ListFilter[],
  visible?: VisibleRows,
): Promise<ListPlan> {
  const all = visible === undefined ? filters : [visible, ...filters];
  const { leading, rows, searched } = await findLeading(reader, table, { filters: all, visible });
  const where = all.flatMap(({ condition }, index) => {
    if (leading?.index !== index) return [condition];
    return leading.isExact ? [leading.condition] : [leading.condition, condition];
  });
  const rest = all.filter((_each, index) => index !== leading?.index).map(({ condition }) => condition);
  const chosen = isShort(rows, rest) ? reader : readerAtLength(reader);
  if (leading !== undefined) {
    return { where, isOfFew: true, counted: { whole: where, upTo: where, searched: undefined }, reader: chosen };
  }
  return { where, isOfFew: false, counted: planCount(filters, visible, searched), reader: chosen };
}

function planCount(
  filters: readonly ListFilter[],
  visible: VisibleRows | undefined,
  searched: Searched | undefined,
): CountPlan {
  const byIndex = ({ condition, candidates }: ListFilter): Sql[] => {
    if (candidates?.isExact === true) return [candidates.condition];
    return candidates?.inOrderOf !== undefined ? [candidates.condition, condition] : [condition];
  };
  const seen = visible === undefined ? [] : [visible];
  return {
    whole: [...seen, ...filters].flatMap(byIndex),
    // Rows are judged one by one: engines read a subquery of what is visible to its end first.
    upTo: [
      ...seen.map(({ condition }) => condition),
      ...filters.flatMap((filter) => (searched === undefined ? byIndex(filter) : [filter.condition])),
    ],
    searched,
  };
}

/**
 * Returns the order of a list with this plan. Few rows are sorted by an expression that no index has, so that the
 * engine does not walk along one.
 */
export function orderOf({ isOfFew }: Pick<ListPlan, "isOfFew">, column: Sql, type: "text" | "instant"): Sql {
  if (!isOfFew) return column;
  return type === "instant" ? sql`${column} + 0` : sql`${column} || ''`;
}

interface Found extends Candidates {
  readonly index: number;
  readonly found: number;
}

/** Returns the smallest set of candidates, if it is small, and how many rows the list has to look at. */
async function findLeading(
  reader: Reader,
  table: ListedTable,
  { filters, visible }: { readonly filters: readonly ListFilter[]; readonly visible: VisibleRows | undefined },
): Promise<{ readonly leading?: Found; readonly rows: number; readonly searched?: Searched | undefined }> {
  const all = filters.flatMap(({ candidates }, index) => (candidates === undefined ? [] : [{ ...candidates, index }]));
  const seen = visible && { index: 0, ...(await look(reader, table, visible.candidates)) };
  if (seen !== undefined && (visible?.isOwn === true || seen.found <= fewEnoughToName)) {
    return { leading: seen, rows: seen.found };
  }
  const [known] = all.filter(({ atMost }) => atMost !== undefined).sort((a, b) => (a.atMost ?? 0) - (b.atMost ?? 0));
  if (known !== undefined) return { leading: { ...known, found: known.atMost ?? 0 }, rows: known.atMost ?? 0 };
  const size = seen?.found ?? (await countUpTo(reader, table, mostRows));
  // A walk along all of so few rows takes no longer than to search for some of them.
  if (size <= mostRows) return { rows: size };
  const others = all.filter(({ index }) => index !== seen?.index);
  const lookAt = (some: typeof others, by: Reader): Promise<Found[]> =>
    Promise.all(some.map(async (each) => ({ index: each.index, ...(await look(by, table, each)) })));
  const inOrder = await lookAt(
    others.filter(({ inOrderOf }) => inOrderOf !== undefined),
    reader,
  );
  const [first] = inOrder.sort((a, b) => a.found - b.found);
  if (first !== undefined && first.found <= fewEnoughToName) return { leading: first, rows: first.found };
  const searched = await lookAt(
    others.filter(({ inOrderOf }) => inOrderOf === undefined),
    readerAtLength(reader),
  );
  const [least] = [...(seen === undefined ? [] : [seen]), ...inOrder, ...searched].sort((a, b) => a.found - b.found);
  if (least !== undefined && least.found <= few) return { leading: least, rows: least.found };
  const [fewest] = [...inOrder, ...searched].filter(hasParts).sort((a, b) => likelyFound(a) - likelyFound(b));
  return { rows: size, searched: fewest };
}

// A search was counted no further than beyond few; one that so many pass has several times as many on the average.
const likelyFound = ({ count, found }: Found): number => (count === undefined ? 5 * found : found);

const hasParts = (candidates: Found): candidates is Searched => candidates.parts !== undefined;

/**
 * Wraps a condition in an expression that no index has. PostgreSQL assumes that nearly all rows pass it, and so walks
 * along the order. For a plain equality of two texts it would assume few matches, and rather read everything.
 */
export const picked = (condition: Sql): Sql => sql`(case when ${condition} then 1 end) is not null`;

/** The first of each part, one after another: a subquery of a condition would be read to its end. */
export function firstOfParts(
  { instance, id }: Omit<ListedTable, "from">,
  parts: readonly Part[],
): (count: number) => Sql {
  const each = parts.map(
    (part, index) =>
      sql`select * from (select ${id} as "id" from ${part.from} where ${instance} and ${part.where}) part${text(`${index}`)}`,
  );
  return (count) => sql`select "id" from (${join(each, " union all ")}) found limit ${count}`;
}

/** Counts the candidates, up to one more than few, and lists them by id when there are few enough. */
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
  const ofParts = candidates.parts && firstOfParts({ instance, id }, candidates.parts);
  const first =
    candidates.first ?? ofParts ?? ((count) => sql`select ${id} as "id" from ${from} where ${where} limit ${count}`);
  const rows = await reader.all<{ id: string }>(first(fewEnoughToName + 1));
  if (rows.length <= fewEnoughToName) {
    // A row that changed since it was found may no longer pass, so the filter is checked again.
    return { condition: sql`${id} in ${list(rows.map((row) => row.id))}`, isExact: false, found: rows.length };
  }
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from (${first(few + 1)}) few`);
  return { ...candidates, found: row?.count ?? 0 };
}
