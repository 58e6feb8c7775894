import type { Instant } from "../base/clock.ts";
import { countUpTo, isShort, mostRows, readerAtLength } from "./at-length.ts";
import type { Reader } from "./database.ts";
import { type CountPlan, firstOfParts, type Part } from "./leading.ts";
import { backwards, type Edge, isBeside, onwards, partsAfter } from "./list-position.ts";
import { join, list as listOf, type Sql, sql, text } from "./sql.ts";

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
  /** The row that precedes the page in the order of the list: however far along, the rows before it are not read. */
  readonly after?: Edge | undefined;
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
  /** Columns of a unique index, where the id is put together of them: the rows of a page are found by these. */
  readonly key?: readonly Sql[];
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

/** A page of a list, and its first and last row, where others are before or after it. */
export interface Stretch<Row> extends List<Row> {
  readonly first: Edge | undefined;
  readonly last: Edge | undefined;
}

/** Where a stretch is: the row that it follows, or the one that it precedes. */
export interface Beside {
  readonly edge: Edge;
  readonly isBefore: boolean;
}

/**
 * Reads the page of a list beside a row, and says beside which rows its neighbors are. Without a row it is the page of
 * the statement.
 */
export async function readStretch<Row extends object>(
  reader: Reader,
  list: ListStatement,
  beside: Beside | undefined,
): Promise<Stretch<Row>> {
  const { columns, orderBy, id, page, isDescending = false } = list;
  const isBefore = beside?.isBefore === true;
  const offset = beside === undefined ? page.offset : 0;
  const { rows, total } = await readList<Row & { listKey?: Edge["key"]; listId?: string }>(reader, {
    ...list,
    columns: sql`${columns}, ${orderBy} as "listKey", ${id} as "listId"`,
    isDescending: isDescending !== isBefore,
    // One more tells whether there are others.
    page: { ...page, offset, limit: page.limit + 1, after: beside?.edge },
  });
  const isMore = rows.length > page.limit;
  const found = rows.slice(0, page.limit).map(({ listKey = "", listId = "", ...row }) => ({
    row: row as unknown as Row,
    edge: { key: listKey, id: listId },
  }));
  if (isBefore) found.reverse();
  const hasFormer = isBefore ? isMore : beside !== undefined || offset > 0;
  const hasNext = isBefore || isMore;
  return {
    rows: found.map(({ row }) => row),
    total,
    first: hasFormer ? found[0]?.edge : undefined,
    last: hasNext ? found.at(-1)?.edge : undefined,
  };
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

/** The condition that a row follows the one after which the page begins. */
const isAfter = (engine: Reader["engine"], list: ListStatement): Sql[] =>
  list.page.after === undefined ? [] : [isBeside(engine, list, onwards(list), list.page.after)];

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
// So many found rows are looked at, to tell where in the order a page of all of them ends.
const sampleSize = 1024;

/**
 * Reads a page near the beginning of rows that a search found. They are many, but the first may be far along the order,
 * as those whose names begin with Z. They are looked for near its beginning. If they are not there, those that were
 * found are sorted, up to where a sample tells that the page ends. Returns undefined where a walk ends soon anyway.
 */
async function readFound<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row> | undefined> {
  const { orderBy, sortedBy, counted, page, where } = list;
  const searched = counted?.plan.searched;
  if (counted === undefined || searched === undefined || sortedBy === undefined || page.offset > far) return undefined;
  const edge = await reader.maybe<Edge>(sql`select ${orderBy} as "key", ${list.id} as "id" from ${counted.from}
    where ${join([counted.instance, ...isAfter(reader.engine, list)], " and ")} ${orderOf(list)} limit ${1} offset ${near}`);
  if (edge === undefined) return undefined;
  const isNear = isBeside(reader.engine, list, backwards(list), edge);
  const { rows } = await readPage<Row>(reader, { ...list, total: text("0"), where: [...where, isNear] });
  const isFull = rows.length === page.limit;
  const count = list.total ?? (isFull ? await countNear(reader, { ...list, counted }, isNear) : undefined);
  const total = await readTotal(reader, count ?? countOf(list));
  const isCounted = page.countUpTo === undefined || total <= page.countUpTo;
  const isAll = page.after === undefined && isCounted && page.offset + rows.length >= total;
  if (isFull || isAll || total === 0) return { rows, total };
  if (searched.found > mostSorted) return undefined;
  const sorted = { ...list, total: sql`cast(${total} as bigint)`, orderBy: sortedBy };
  const further = [...where, ...isAfter(reader.engine, sorted)];
  const read = (bound: readonly Sql[]): Promise<List<Row>> =>
    readParts<Row>(reader, { ...sorted, where: [...further, ...bound] }, searched.parts, orderBy);
  const bound = await boundOf(reader, { ...sorted, instance: counted.instance }, searched.parts);
  const bounded = await read(bound);
  // Rows that were removed since the sample would be missing at the end of the page.
  return bound.length === 0 || bounded.rows.length === page.limit ? bounded : read([]);
}

/**
 * Reads a page of several parts: each is sorted, or walked along if its index has the order of the page (`indexed`). A
 * row may be in more than one.
 */
async function readParts<Row extends object>(
  reader: Reader,
  list: ListStatement,
  parts: readonly Part[],
  indexed: Sql,
): Promise<List<Row>> {
  const { columns, from, where: conditions, id, orderBy, page, isDescending, joins = text("") } = list;
  const direction = isDescending === true ? text("desc") : text("asc");
  const end = page.offset + page.limit;
  const found = parts.map(
    ({ from: rows, where, inOrderOf }, index) => sql`select * from (select ${id} as "id",
      ${inOrderOf === indexed ? indexed : orderBy} as "key" from ${rows} where ${join([...conditions, where], " and ")}
      order by "key" ${direction}, "id" ${direction} limit ${end}) part${text(`${index}`)}`,
  );
  const listed = sql`select ${countOf(list)} as "listTotal", ${columns}`;
  return toList(
    reader,
    list,
    sql`with page as materialized (select distinct "id" as page_id, "key" as page_key from (${join(found, " union all ")}) found
        order by page_key ${direction}, page_id ${direction} ${limitOf(page)})
      ${listed} from page cross join ${from} ${joins}
      where ${conditions[0] ?? text("1 = 1")} and ${id} = page.page_id ${orderOf(list)}`,
  );
}

/**
 * Returns the condition that a row is not behind the page, as far as a few of the found rows tell: so many of them that
 * they fill the page are in front of it. Very many others then need not be sorted, nor compared with the filters.
 */
async function boundOf(
  reader: Reader,
  list: ListStatement & { readonly instance: Sql },
  parts: readonly Part[],
): Promise<readonly Sql[]> {
  const { from, where, instance, id, orderBy, page } = list;
  const sample = await reader.all<{ id: string }>(firstOfParts({ instance, id }, parts)(sampleSize));
  const isInSample = sql`${id} in ${listOf(sample.map((row) => row.id))}`;
  const conditions = join([...where, isInSample, ...isAfter(reader.engine, list)], " and ");
  const last = await reader.maybe<{ key: Edge["key"] }>(sql`select ${orderBy} as "key" from ${from}
    where ${conditions} ${orderOf(list)} limit ${1} offset ${page.offset + page.limit - 1}`);
  return last === undefined ? [] : [sql`${orderBy} ${backwards(list).loose} ${last.key}`];
}

/** Counts what is near, where that is as far as the page asks for: of what very many have, no search need find all. */
async function countNear(
  reader: Reader,
  list: ListStatement & Required<Pick<ListStatement, "counted">>,
  isNear: Sql,
): Promise<Sql | undefined> {
  const { counted } = list;
  const { countUpTo } = list.page;
  if (countUpTo === undefined) return undefined;
  const conditions = join([counted.instance, ...counted.plan.upTo, ...isAfter(reader.engine, list), isNear], " and ");
  const rows = sql`select 1 as "one" from ${counted.from} where ${conditions} limit ${countUpTo + 1}`;
  const total = await readTotal(reader, sql`(select count(*) from (${rows}) counted)`);
  return total > countUpTo ? sql`cast(${total} as bigint)` : undefined;
}

async function readPage<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row>> {
  const { columns, from, id, orderBy, page, key = [id] } = list;
  if (page.after !== undefined) return readParts(reader, list, partsAfter(list, page.after), orderBy);
  const where = join(list.where, " and ");
  const count = countOf(list);
  const order = orderOf(list);
  const limit = limitOf(page);
  const listed = sql`select ${count} as "listTotal", ${columns}`;
  const statement =
    list.joins === undefined
      ? sql`${listed} from ${from} where ${where} ${order} ${limit}`
      : // A join, because with a condition PostgreSQL read all rows of the instance to check them, and materialized,
        // because a plan that does not know the limit read the page anew for each of these rows.
        sql`with page as materialized (select ${join(columnsOf(key), ", ")} from ${from} where ${where} ${order} ${limit})
        ${listed} from page cross join ${from} ${list.joins}
        where ${join([list.where[0] ?? text("1 = 1"), ...isInPage(key)], " and ")} ${order}`;
  return toList(reader, list, statement);
}

const columnsOf = (key: readonly Sql[]): Sql[] =>
  key.map((column, index) => sql`${column} as page_id${text(`${index}`)}`);
const isInPage = (key: readonly Sql[]): Sql[] =>
  key.map((column, index) => sql`${column} = page.page_id${text(`${index}`)}`);

async function toList<Row extends object>(reader: Reader, list: ListStatement, statement: Sql): Promise<List<Row>> {
  const rows = await reader.all<Row & { listTotal?: number }>(statement);
  const total = rows[0]?.listTotal;
  for (const row of rows) delete row.listTotal;
  // An empty page (beyond the end, or of no rows) has no row to carry the total.
  return { rows, total: total ?? (await readTotal(reader, countOf(list))) };
}

/** Counts the rows of a list, no further than its page asks for. */
function countOf({ from, id, where, total, counted, page: { countUpTo } }: ListStatement): Sql {
  if (total !== undefined) return total;
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
