import type { Reader } from "./database.ts";
import type { Part } from "./leading.ts";
import { type Sql, sql, text } from "./sql.ts";

/** A row by its position in a list: the value of its order, and what makes it unique. */
export interface Edge {
  readonly key: string | number;
  readonly id: string;
}

interface Order {
  readonly orderBy: Sql;
  readonly id: Sql;
  readonly isDescending?: boolean;
}

interface Comparison {
  readonly strict: Sql;
  readonly loose: Sql;
}

const before: Comparison = { strict: text("<"), loose: text("<=") };
const behind: Comparison = { strict: text(">"), loose: text(">=") };

/** How rows compare that come later in an order, and those that come earlier. */
export const onwards = ({ isDescending }: Order): Comparison => (isDescending === true ? before : behind);
export const backwards = ({ isDescending }: Order): Comparison => (isDescending === true ? behind : before);

/** The condition that a row is on one side of another one. */
export function isBeside(
  engine: Reader["engine"],
  { orderBy, id }: Order,
  { strict, loose }: Comparison,
  edge: Edge,
): Sql {
  const both = sql`(${orderBy}, ${id}) ${strict} (${edge.key}, ${edge.id})`;
  // SQLite finds both together only if both are columns.
  return engine === "sqlite" ? sql`${orderBy} ${loose} ${edge.key} and ${both}` : both;
}

/**
 * The rows that follow another one, in two parts that each are contiguous in an index: those with the same value of the
 * order, which may be very many, and the others.
 */
export function partsAfter(list: Order & { readonly from: Sql }, { key, id }: Edge): readonly Part[] {
  const { strict } = onwards(list);
  return [
    { from: list.from, where: sql`${list.orderBy} = ${key} and ${list.id} ${strict} ${id}` },
    { from: list.from, where: sql`${list.orderBy} ${strict} ${key}` },
  ];
}
