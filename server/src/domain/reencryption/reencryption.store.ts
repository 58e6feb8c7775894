import { type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { KnownColumn } from "./sealed-columns.ts";

/** A value under a former key. */
export interface OldValue {
  readonly instanceId: string;
  readonly firstKey: string;
  /** Null where the primary key has no second column besides the instance. */
  readonly secondKey: string | number | null;
  /** What the context contains between table and part. */
  readonly contextKey: string;
  readonly value: string;
}

const isOld = (column: Sql, newest: string): Sql =>
  sql`${column} is not null and ${column} <> '' and substr(${column}, 1, ${newest.length}) <> ${newest}`;

/**
 * Lists some values of a column that do not begin like those of the newest key, of all instances, in primary key order.
 */
export function listOldValues(
  reader: Reader,
  { table, column, key, contextKey }: KnownColumn,
  { newest, after, limit }: { readonly newest: string; readonly after: OldValue | undefined; readonly limit: number },
): Promise<OldValue[]> {
  const [first, second] = [text(key[0]), key.length === 2 ? text(key[1]) : undefined];
  const order = second === undefined ? sql`instance_id, ${first}` : sql`instance_id, ${first}, ${second}`;
  return reader.all<OldValue>(sql`select instance_id as "instanceId", ${first} as "firstKey", ${second ?? text("null")} as "secondKey",
      ${text(contextKey)} as "contextKey", ${text(column)} as "value"
    from ${text(table)} where ${isOld(text(column), newest)} ${after === undefined ? text("") : sql`and ${isBehind(order, second, after)}`}
    order by ${order} limit ${limit}`);
}

const isBehind = (order: Sql, second: Sql | undefined, { instanceId, firstKey, secondKey }: OldValue): Sql =>
  second === undefined
    ? sql`(${order}) > (${instanceId}, ${firstKey})`
    : sql`(${order}) > (${instanceId}, ${firstKey}, ${secondKey})`;

/** Counts the values of a column that do not begin like those of the newest key. */
export async function countOldValues(reader: Reader, { table, column }: KnownColumn, newest: string): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from ${text(table)}
    where instance_id <> '' and ${isOld(text(column), newest)}`);
  return Number(row?.count ?? 0);
}

/** Replaces a value, if it is still the one that was read. */
export async function replaceValue(
  tx: Tx,
  { table, column, key }: KnownColumn,
  { instanceId, firstKey, secondKey, value }: OldValue,
  sealed: string,
): Promise<boolean> {
  const isSecond = key.length === 2 ? sql`and ${text(key[1])} = ${secondKey}` : text("");
  const count = await tx.run(sql`update ${text(table)} set ${text(column)} = ${sealed}
    where instance_id = ${instanceId} and ${text(key[0])} = ${firstKey} ${isSecond} and ${text(column)} = ${value}`);
  return count === 1;
}
