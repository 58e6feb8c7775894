import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";

// An insert of a single row whose values are parameters and constants, and that returns nothing.
const plainInsert = /^(insert into \w+ \([\w\s,]+\)\s+values )(\((?:(?:\$\d+|null|\d+)(?:,\s*|(?=\))))+\))$/;
/** Rows of a merged statement: few different numbers, because each has a prepared statement of its own. */
const sizes = [32, 16, 8, 4, 2];

interface Insert {
  readonly head: string;
  readonly row: string;
  readonly bySize: Map<number, { readonly name: string; readonly text: string }>;
}

// By text; undefined for statements that are something else. The texts are those of the product, which has few.
const inserts = new Map<string, Insert | undefined>();
const mostTexts = 1_000;

/** Whether a statement only adds a row, so that those of different callers can be one statement. */
function isPlainInsert({ text }: QueryConfig): boolean {
  return insertOf(text) !== undefined;
}

/**
 * Makes one statement for many rows out of inserts with the same text, all of which must be plain. The order of the
 * rows in a table is that of the statements.
 */
function mergeInserts(statements: readonly QueryConfig[]): QueryConfig[] {
  const merged: QueryConfig[] = [];
  for (const [text, alike] of Map.groupBy(statements, (statement) => statement.text)) {
    const insert = insertOf(text);
    if (insert === undefined) throw new Error(`not a plain insert: ${text}`);
    let start = 0;
    for (const size of sizes) {
      for (; alike.length - start >= size; start += size) {
        const rows = alike.slice(start, start + size);
        merged.push({ ...statementFor(insert, size), values: rows.flatMap(({ values = [] }): unknown[] => values) });
      }
    }
    merged.push(...alike.slice(start));
  }
  return merged;
}

/**
 * Returns the statements of units of work that are committed together. Units that only add rows do not depend on one
 * another, so all rows of a table are added by one statement. The others follow as they are.
 */
export function mergeUnits(units: readonly (readonly QueryConfig[])[]): readonly QueryConfig[] {
  const [only] = units;
  if (units.length === 1 && only !== undefined) return only;
  const [adding, others] = [
    units.filter((unit) => unit.every(isPlainInsert)),
    units.filter((unit) => !unit.every(isPlainInsert)),
  ];
  return [...mergeInserts(adding.flat()), ...others.flat()];
}

function insertOf(text: string): Insert | undefined {
  if (inserts.has(text)) return inserts.get(text);
  const [, head, row] = plainInsert.exec(text) ?? [];
  const insert = head === undefined || row === undefined ? undefined : { head, row, bySize: new Map() };
  if (inserts.size < mostTexts) inserts.set(text, insert);
  return insert;
}

function statementFor({ head, row, bySize }: Insert, size: number): { readonly name: string; readonly text: string } {
  const known = bySize.get(size);
  if (known !== undefined) return known;
  const width = row.split("$").length - 1;
  const rows = Array.from({ length: size }, (_, index) =>
    row.replaceAll(/\$(\d+)/g, (_whole, number: string) => `$${Number(number) + index * width}`),
  );
  const text = `${head}${rows.join(", ")}`;
  const name = `m${createHash("sha256").update(text).digest("base64url").slice(0, 24)}`;
  const made = { name, text };
  bySize.set(size, made);
  return made;
}
