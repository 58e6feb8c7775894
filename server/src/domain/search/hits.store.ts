import type { Reach } from "../../call/index.ts";
import { caselessCandidates, join, list, type Reader, type Sql, sql, text } from "../../database/index.ts";
import { mostOfKind, type Wanted } from "./hit.ts";

/** The rows of a kind. */
export interface HitTable {
  readonly columns: Sql;
  readonly from: Sql;
  /** Conditions that name the instance, in every table of `from`. */
  readonly instance: Sql;
}

/**
 * Reads the first rows of each part. A part is a condition that one index finds rows by, with what the caller may see
 * of them. Some rows are found twice.
 */
export function readParts<Row>(
  reader: Reader,
  { columns, from, instance }: HitTable,
  parts: readonly Sql[],
): Promise<Row[]> {
  if (parts.length === 0) return Promise.resolve([]);
  const selects = parts.map(
    (part, index) =>
      sql`select * from (select ${columns} from ${from} where ${instance} and ${part} limit ${mostOfKind}) part${text(`${index}`)}`,
  );
  return reader.all<Row>(join(selects, " union all "));
}

/** Returns each match within each part of what the caller may see. */
export const cross = (matches: readonly Sql[], visible: readonly Sql[]): Sql[] =>
  matches.flatMap((match) => visible.map((part) => sql`${match} and ${part}`));

/** Returns the condition that one of the parts holds; none where there is none. */
export const anyOf = (parts: readonly Sql[]): Sql[] => (parts.length === 0 ? [] : [sql`(${join(parts, " or ")})`]);

/** The columns that name where a row lives; those that it does not have are left out. */
export interface ScopeColumns {
  readonly organizationId: Sql;
  readonly projectId?: Sql;
  readonly projectGrantId?: Sql;
}

/**
 * Returns what a permission reaches, each level by itself, because each has an index of its own (`reachFilter` is the
 * same in one condition).
 */
export function visibleParts(
  reach: Reach,
  { organizationId }: Pick<Wanted, "organizationId">,
  columns: ScopeColumns,
): Sql[] {
  const within = organizationId === undefined ? undefined : sql`${columns.organizationId} = ${organizationId}`;
  if (reach.everywhere) return [within ?? text("1 = 1")];
  const isWanted = (id: string): boolean => organizationId === undefined || id === organizationId;
  const narrow = (part: Sql): Sql => (within === undefined ? part : sql`${part} and ${within}`);
  return [
    ...oneOf(columns.organizationId, reach.organizationIds.filter(isWanted)),
    ...oneOf(columns.projectId, reach.projectIds).map(narrow),
    ...oneOf(columns.projectGrantId, reach.projectGrantIds).map(narrow),
  ];
}

function oneOf(column: Sql | undefined, ids: readonly string[]): Sql[] {
  return column === undefined || ids.length === 0 ? [] : [sql`${column} in ${list(ids)}`];
}

/** Returns the condition that a name begins with the text; none where no name does. */
export function beginsWith(column: Sql, { key }: Pick<Wanted, "key">): Sql[] {
  const found = caselessCandidates(column, "starts_with", key);
  return found === undefined ? [] : [found.condition];
}
