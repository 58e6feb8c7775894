import type { Things } from "./more-things.ts";

// biome-ignore lint/suspicious/noExplicitAny: records of foreign shape.
export type Item = any;

/** What rows are compared by. */
export type Value = string | number | boolean | undefined;

/** What a member of a filter compares, in a row as the list shows it; one of several that match. */
export type Look = (item: Item, things: Things) => Value | readonly Value[];

/** A filter as it is sent, and the rows that it means. */
export interface FilterCase {
  readonly filter: object;
  readonly means: (item: Item) => boolean;
}

/** Filters of a form that no other member has. */
export interface OwnCases {
  readonly cases: (things: Things, items: readonly Item[]) => readonly FilterCase[];
  /** What they match is in no row, or in every row. */
  readonly isEven?: true;
}

/** Where to find what a list is ordered by, and what its filters compare. */
export interface List {
  /** The field of the answer with the rows. */
  readonly rows: string;
  /** What the request has to name. */
  readonly request?: (things: Things) => object;
  /** Filters that accompany those that are tested. */
  readonly always?: readonly object[];
  /** The organization that a v1 call is about. */
  readonly organization?: (things: Things) => string | undefined;
  /** The value of each column, by the end of its name in the contract. */
  readonly columns?: Readonly<Record<string, (item: Item) => string | number>>;
  /** Columns in which all rows are alike. */
  readonly alike?: readonly string[];
  /** The members of its filter, by their names in JSON. Those that combine others need no line. */
  readonly filters?: Readonly<Record<string, Look | OwnCases>>;
  /** Whether the test cannot make three rows, or any. */
  readonly isShort?: true;
  /** Whether its order was chosen by a user, and neither ascends nor descends. */
  readonly isAsChosen?: true;
  /** Whether only a system user may call. */
  readonly isOfSystem?: true;
}

/** Returns the value at a path in a row; a truth value as a number, as the database orders it. */
export const at =
  (path: string) =>
  (item: Item): string | number => {
    const value = path.split(".").reduce((from, name) => from?.[name], item) ?? "";
    return typeof value === "boolean" ? Number(value) : value;
  };

/** Where a name stands among others. */
export const among =
  (path: string, ...names: readonly string[]) =>
  (item: Item): number =>
    names.indexOf(String(at(path)(item)));

/** Returns the value at a path, without regard to case. */
export const folded = (path: string) => (item: Item) => String(at(path)(item)).toLowerCase();

/** A truth value, which answers leave out when it is false. */
export const truth =
  (name: string): Look =>
  (item) =>
    item[name] ?? false;
