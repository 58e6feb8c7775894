import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import type { Sql, SqlValue } from "../sql.ts";
import { readerColumn } from "./packet.ts";
import { toQuery } from "./statements.ts";

/** Reads of one statement: few different numbers, because each has a prepared statement of its own. */
export const sizes: readonly number[] = [16, 8, 4, 2];
/** What has more values (long lists) is read alone: a statement has at most 65,535, and connections keep its text. */
const mostValues = 24;

/** What a shared statement says of each value. */
type Kind = "bigint" | "text";

/** The shared statements of a text, by the number of their reads. */
interface Shared {
  readonly kinds: readonly Kind[];
  readonly bySize: Map<number, { readonly name: string; readonly text: string }>;
}

const sharedOf = new WeakMap<Sql["shape"], Shared>();

/**
 * Whether a read may share a statement: connections keep its text anyway (`statements.ts`), and its values are few and
 * of the kinds that they had when the text was first shared. So a text has as many shared statements as there are
 * sizes.
 */
export function mayShare(statement: Sql): boolean {
  const { shape, values } = statement;
  if (values.length > mostValues || values.includes(null) || toQuery(statement).name === undefined) return false;
  let shared = sharedOf.get(shape);
  if (shared === undefined) {
    shared = { kinds: values.map(kindOf), bySize: new Map() };
    sharedOf.set(shape, shared);
  }
  const { kinds } = shared;
  return values.every((value, index) => kindOf(value) === kinds[index]);
}

/**
 * Returns the statement that reads for all of them; they have one text, and may share. Each read stays a query of its
 * own (`offset 0`), so that its plan is the one that it has alone and the planner joins it with nothing.
 */
export function sharedQuery(statements: readonly Sql[]): QueryConfig {
  const [{ shape }] = statements as [Sql];
  const shared = sharedOf.get(shape);
  if (shared === undefined) throw new Error("a read that may not share a statement");
  const size = statements.length;
  let query = shared.bySize.get(size);
  if (query === undefined) {
    query = toNamed(sharedText(shape, shared.kinds, size));
    shared.bySize.set(size, query);
  }
  return { ...query, values: statements.flatMap(({ values }): unknown[] => [...values]) };
}

const kindOf = (value: SqlValue): Kind => (typeof value === "number" ? "bigint" : "text");

function toNamed(text: string): { readonly name: string; readonly text: string } {
  return { name: `r${createHash("sha256").update(text).digest("base64url").slice(0, 24)}`, text };
}

function sharedText(shape: Sql["shape"], kinds: readonly Kind[], size: number): string {
  const rows = Array.from({ length: size }, (_, reader) => {
    const values = kinds.map((kind, index) => `$${reader * kinds.length + index + 1}::${kind}`);
    return `(${[reader, ...values].join(", ")})`;
  });
  const names = ["reader", ...kinds.map((_, index) => `value${index + 1}`)];
  return `select shared.reader as "${readerColumn}", found.*
    from (values ${rows.join(", ")}) shared (${names.join(", ")})
    cross join lateral (${shape.postgresWith((index) => `shared.value${index}`)} offset 0) found`;
}
