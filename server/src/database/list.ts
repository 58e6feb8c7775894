import type { Instant } from "../base/clock.ts";
import { countUpTo, isShort, mostRows, readerAtLength } from "./at-length.ts";
import type { Reader } from "./database.ts";
import type { CountPlan } from "./leading.ts";
import { join, type Sql, sql, text } from "./sql.ts";

/** A comparison of texts. `…_ignore_case` folds the case of every script, identically on both engines. */
export type TextMethod =
  | "equals"
  | "equals_ignore_case"
  | "starts_with"
  | "starts_with_ignore_case"
  | "contains"
  | "contains_ignore_case"
  | "ends_with"
  | "ends_with_ignore_case";

export type InstantMethod = "equals" | "greater" | "greater_or_equals" | "less" | "less_or_equals";

export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** Rows of the list are counted up to this number and one more; all are when it is absent. */
  readonly countUpTo?: number;
}

export interface ListStatement {
  /** Columns of the result: `id, name, created_at as "createdAt"`. The name `listTotal` is reserved. */
  readonly columns: Sql;
  /** Table, with its joins. Each of its rows is one row of the list. */
  readonly from: Sql;
  /** Joins that only the columns need, applied to the rows of the page. */
  readonly joins?: Sql;
  /**
   * Conditions that must all hold: first the instance and whatever else an index finds the rows by, then permissions
   * and filters.
   */
  readonly where: readonly Sql[];
  /** Column that orders the list; never null, because the engines put nulls at different ends. */
  readonly orderBy: Sql;
  /** Unique within the list: makes the order, and therefore the pages, stable. */
  readonly id: Sql;
  readonly isDescending?: boolean;
  readonly page: Page;
  /**
   * An expression for the length of a row, if rows may be long: a page ends before its rows exceed the limit for one
   * page.
   */
  readonly weight?: Sql;
  /** An expression for the length of the whole list, where it is known without counting its rows. */
  readonly total?: Sql | undefined;
  /** What is counted otherwise, where an index counts it faster than the list is read (`planList`). */
  readonly counted?: { readonly from: Sql; readonly instance: Sql; readonly plan: CountPlan };
  /** The same order by an expression that no index has: for rows that a search found. */
  readonly sortedBy?: Sql;
  /** Whether the reader is that of the plan (`planList`). */
  readonly isPlanned?: boolean;
}

export interface List<Row> {
  readonly rows: Row[];
  /** Number of rows on all pages. */
  readonly total: number;
}

/** Reads one page of a list and the length of the list, from one snapshot. */
export async function readList<Row extends object>(given: Reader, list: ListStatement): Promise<List<Row>> {
  const reader = await readerOf(given, list);
  const bounded = list.weight === undefined ? list : { ...list, page: await shorten(reader, list, list.weight) };
  return (
    (await readFromEnd<Row>(reader, bounded)) ?? (await readFound<Row>(reader, bounded)) ?? readPage(reader, bounded)
  );
}

/** Chooses the reader of a list of which nothing is known; `planList` has chosen before. */
async function readerOf(reader: Reader, { from, where, isPlanned }: ListStatement): Promise<Reader> {
  if (isPlanned === true || reader.atLength === undefined) return reader;
  const [instance, ...conditions] = where;
  if (instance === undefined) return reader.atLength;
  const rows = await countUpTo(reader, { from, instance }, mostRows);
  return isShort(rows, conditions) ? reader : readerAtLength(reader);
}

/** Rows of so many characters are read at once: a page is kept several times over until its last reader took it. */
export const mostOfPage = 2_000_000;

/** Returns the page with as many rows as fit, at least one. Their total tells callers that there are more. */
async function shorten(reader: Reader, list: ListStatement, weight: Sql): Promise<Page> {
  const { page } = list;
  const weights = await reader.all<{ weight: number }>(
    sql`select ${weight} as "weight" from ${list.from} where ${join(list.where, " and ")} ${orderOf(list)} ${limitOf(page)}`,
  );
  let sum = 0;
  for (const [index, { weight: length }] of weights.entries()) {
    sum += Number(length);
    if (sum > mostOfPage) return { ...page, limit: Math.max(1, index) };
  }
  return page;
}

function orderOf({ orderBy, id, isDescending }: ListStatement): Sql {
  const direction = isDescending === true ? text("desc") : text("asc");
  return sql`order by ${orderBy} ${direction}, ${id} ${direction}`;
}

const limitOf = (page: Page): Sql => sql`limit ${page.limit} offset ${page.offset}`;

// From this offset on it is worth checking which end is nearer.
const far = 1000;

/**
 * Reads a page of the second half backwards from the end, because an engine visits every row that it skips. Returns
 * undefined where that is not shorter, where counting takes as long as skipping, and where rows change too often to
 * know the end.
 */
async function readFromEnd<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row> | undefined> {
  const { page } = list;
  const total = list.total ?? (list.counted !== undefined && page.countUpTo === undefined ? countOf(list) : undefined);
  if (total === undefined || page.offset < far) return undefined;
  for (let count = 0; count < 3; count++) {
    const seen = await readTotal(reader, total);
    if (page.offset >= seen) return { rows: [], total: seen };
    const limit = Math.min(page.limit, seen - page.offset);
    const offset = seen - page.offset - limit;
    if (offset >= page.offset) return undefined;
    const isDescending = list.isDescending !== true;
    const found = await readPage<Row>(reader, { ...list, isDescending, page: { offset, limit } });
    // When the end has moved since the count, it would be another page.
    if (found.total === seen) return { rows: found.rows.reverse(), total: seen };
  }
  return undefined;
}

// More rows than this are not sorted.
const mostSorted = 100_000;
// So many rows along the order are soon walked; where one of a hundred passes, a page is among them.
const near = 5000;

/**
 * Reads a page near the beginning of rows that a search found. They are many, but the first may be far along the order,
 * as those whose names begin with Z. They are looked for near its beginning. If they are not there, all that were found
 * are sorted. Returns undefined where a walk ends soon anyway.
 */
async function readFound<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row> | undefined> {
  const { orderBy, sortedBy, counted, page, isDescending = false, where } = list;
  const searched = counted?.plan.searched;
  if (counted === undefined || searched === undefined || sortedBy === undefined || page.offset > far) return undefined;
  const edge = await reader.maybe<{ edge: string | number }>(sql`select ${orderBy} as "edge" from ${counted.from}
    where ${counted.instance} ${orderOf(list)} limit ${1} offset ${near}`);
  if (edge === undefined) return undefined;
  const isNear = isDescending ? sql`${orderBy} >= ${edge.edge}` : sql`${orderBy} <= ${edge.edge}`;
  const count = list.total ?? (await countNear(reader, { ...list, counted }, isNear));
  const found = await readPage<Row>(reader, { ...list, total: count, where: [...where, isNear] });
  const isAll = found.rows.length === page.limit || found.total === 0;
  if (isAll) return found;
  if (searched.found > mostSorted) return undefined;
  const total = sql`cast(${found.total} as bigint)`;
  return readPage<Row>(reader, { ...list, total, orderBy: sortedBy, where: [...where, searched.condition] });
}

/** Counts what is near, where that is as far as the page asks for: of what very many have, no search need find all. */
async function countNear(
  reader: Reader,
  { counted, page: { countUpTo } }: ListStatement & Required<Pick<ListStatement, "counted">>,
  isNear: Sql,
): Promise<Sql | undefined> {
  if (countUpTo === undefined) return undefined;
  const conditions = join([counted.instance, ...counted.plan.upTo, isNear], " and ");
  const rows = sql`select 1 as "one" from ${counted.from} where ${conditions} limit ${countUpTo + 1}`;
  const total = await readTotal(reader, sql`(select count(*) from (${rows}) counted)`);
  return total > countUpTo ? sql`cast(${total} as bigint)` : undefined;
}

async function readPage<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row>> {
  const { columns, from, id, page } = list;
  const where = join(list.where, " and ");
  const count = list.total ?? countOf(list);
  const order = orderOf(list);
  const limit = limitOf(page);
  const listed = sql`select ${count} as "listTotal", ${columns}`;
  const statement =
    list.joins === undefined
      ? sql`${listed} from ${from} where ${where} ${order} ${limit}`
      : // A join, because with a condition PostgreSQL read all rows of the instance to check them, and materialized,
        // because a plan that does not know the limit read the page anew for each of these rows.
        sql`with page as materialized (select ${id} as page_id from ${from} where ${where} ${order} ${limit})
        ${listed} from page cross join ${from} ${list.joins}
        where ${list.where[0] ?? text("1 = 1")} and ${id} = page.page_id ${order}`;
  const rows = await reader.all<Row & { listTotal?: number }>(statement);
  const total = rows[0]?.listTotal;
  for (const row of rows) delete row.listTotal;
  // An empty page (beyond the end, or of no rows) has no row to carry the total.
  return { rows, total: total ?? (await readTotal(reader, count)) };
}

/** Counts the rows of a list, no further than its page asks for. */
function countOf({ from, id, where, counted, page: { countUpTo } }: ListStatement): Sql {
  if (countUpTo === undefined) {
    return counted === undefined
      ? sql`(select count(*) from ${from} where ${join(where, " and ")})`
      : sql`(select count(*) from ${counted.from} where ${join([counted.instance, ...counted.plan.whole], " and ")})`;
  }
  const most = countUpTo + 1;
  const conditions = counted === undefined ? where : [counted.instance, ...counted.plan.upTo];
  const parts = counted?.plan.searched?.parts;
  if (parts === undefined) {
    return sql`(select count(*) from (select 1 as "one" from ${counted?.from ?? from} where ${join(conditions, " and ")}
      limit ${most}) counted)`;
  }
  // A part that has so many decides; otherwise all rows of all parts are there, some of them twice.
  const found = parts.map(
    (part, index) => sql`select * from (select ${id} as "id" from ${part.from}
      where ${join([...conditions, part.where], " and ")} limit ${most}) part${text(`${index}`)}`,
  );
  return sql`(select count(*) from (select distinct "id" from (${join(found, " union all ")}) found limit ${most}) counted)`;
}

async function readTotal(reader: Reader, count: Sql): Promise<number> {
  return (await reader.maybe<{ total: number }>(sql`select ${count} as "total"`))?.total ?? 0;
}

/**
 * Returns the condition that compares a column with a text. The value may contain any characters; none is a wildcard.
 */
export function textFilter(column: Sql, method: TextMethod, value: string): Sql {
  switch (method) {
    case "equals":
      return sql`${column} = ${value}`;
    case "equals_ignore_case":
      return sql`lower(${column}) = lower(${value})`;
    case "starts_with":
      return sql`${column} like ${`${escapePattern(value)}%`} escape '\\'`;
    case "starts_with_ignore_case":
      return sql`lower(${column}) like lower(${`${escapePattern(value)}%`}) escape '\\'`;
    case "contains":
      return sql`strpos(${column}, ${value}) > 0`;
    case "contains_ignore_case":
      return sql`strpos(lower(${column}), lower(${value})) > 0`;
    case "ends_with":
      return sql`${column} like ${`%${escapePattern(value)}`} escape '\\'`;
    case "ends_with_ignore_case":
      return sql`lower(${column}) like lower(${`%${escapePattern(value)}`}) escape '\\'`;
  }
}

const operators = {
  equals: text("="),
  greater: text(">"),
  greater_or_equals: text(">="),
  less: text("<"),
  less_or_equals: text("<="),
} as const satisfies Record<InstantMethod, Sql>;

/** Returns the condition that compares a column with an instant. */
export function instantFilter(column: Sql, method: InstantMethod, instant: Instant): Sql {
  return sql`${column} ${operators[method]} ${instant}`;
}

const escapePattern = (value: string): string => value.replace(/[\\%_]/g, "\\$&");
