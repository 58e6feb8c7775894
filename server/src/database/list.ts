import type { Instant } from "../base/clock.ts";
import type { Reader } from "./database.ts";
import { join, type Sql, sql, text } from "./sql.ts";

/** How a text is compared. `…_ignore_case` folds the case of every script, alike on both engines. */
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
}

export interface ListStatement {
  /** What a row answers: `id, name, created_at as "createdAt"`. The name `listTotal` is taken. */
  readonly columns: Sql;
  /** Table, with its joins. Each row of the list is one row of it. */
  readonly from: Sql;
  /** Joins that only the columns need: made for the rows of the page. */
  readonly joins?: Sql;
  /** All must hold: first the instance, then permission and filters. */
  readonly where: readonly Sql[];
  /** Column that the list is ordered by; never null, because the engines put nulls at different ends. */
  readonly orderBy: Sql;
  /** Unique inside the list: makes the order, and so the pages, stable. */
  readonly id: Sql;
  readonly isDescending?: boolean;
  readonly page: Page;
  /** How long the whole list is, where that is known without counting its rows: an expression. */
  readonly total?: Sql;
}

export interface List<Row> {
  readonly rows: Row[];
  /** How many rows there are on all pages. */
  readonly total: number;
}

/** One page of a list and how long the list is, from one snapshot. */
export async function readList<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row>> {
  return (await readFromEnd<Row>(reader, list)) ?? readPage(reader, list);
}

// A page that far away is worth a look at which end is nearer.
const far = 1000;

/**
 * A page of the second half, read backwards from the end, because an engine meets every row that it skips. Undefined where that is not shorter,
 * where counting takes as long as skipping, and where rows come and go too often to say where the end is.
 */
async function readFromEnd<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row> | undefined> {
  const { page, total } = list;
  if (total === undefined || page.offset < far) return undefined;
  for (let count = 0; count < 3; count++) {
    const seen = await readTotal(reader, total);
    if (page.offset >= seen) return { rows: [], total: seen };
    const limit = Math.min(page.limit, seen - page.offset);
    const offset = seen - page.offset - limit;
    if (offset >= page.offset) return undefined;
    const isDescending = list.isDescending !== true;
    const found = await readPage<Row>(reader, { ...list, isDescending, page: { offset, limit } });
    // From another end than was counted, it would be another page.
    if (found.total === seen) return { rows: found.rows.reverse(), total: seen };
  }
  return undefined;
}

async function readPage<Row extends object>(reader: Reader, list: ListStatement): Promise<List<Row>> {
  const { columns, from, orderBy, id, page } = list;
  const where = join(list.where, " and ");
  const direction = list.isDescending === true ? text("desc") : text("asc");
  const count = list.total ?? sql`(select count(*) from ${from} where ${where})`;
  const order = sql`order by ${orderBy} ${direction}, ${id} ${direction}`;
  const limit = sql`limit ${page.limit} offset ${page.offset}`;
  const paged =
    list.joins === undefined
      ? sql`from ${from} where ${where} ${order} ${limit}`
      : // A join and not a condition: PostgreSQL read all rows of the instance to look which of them are on the page.
        sql`from (select ${id} as page_id from ${from} where ${where} ${order} ${limit}) page cross join ${from} ${list.joins}
        where ${list.where[0] ?? text("1 = 1")} and ${id} = page.page_id ${order}`;
  const rows = await reader.all<Row & { listTotal?: number }>(sql`select ${count} as "listTotal", ${columns} ${paged}`);
  const total = rows[0]?.listTotal;
  for (const row of rows) delete row.listTotal;
  // A page beyond the end, or of no rows, has nowhere to say how long the list is.
  return { rows, total: total ?? (await readTotal(reader, count)) };
}

async function readTotal(reader: Reader, count: Sql): Promise<number> {
  return (await reader.maybe<{ total: number }>(sql`select ${count} as "total"`))?.total ?? 0;
}

/** The condition that a column holds a text. The value may have any characters; none is a wildcard. */
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

/** The condition that a column holds an instant. */
export function instantFilter(column: Sql, method: InstantMethod, instant: Instant): Sql {
  return sql`${column} ${operators[method]} ${instant}`;
}

const escapePattern = (value: string): string => value.replace(/[\\%_]/g, "\\$&");
