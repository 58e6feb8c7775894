/** A value of a row in the file: `sealed` is one that no master key of the source opened, as it was stored. */
export type FileValue = string | number | null | { readonly sealed: string };

export type RowCounts = Readonly<Record<string, number>>;

/** What an export says first. */
export interface Contents {
  readonly instances: readonly { readonly instanceId: string; readonly name: string }[];
  /** Whether it has everything of the database, and not a single instance of it. */
  readonly isWhole: boolean;
  /** Rows of each table. */
  readonly rows: RowCounts;
}

/** What an export says last. */
export interface ContentEnd {
  readonly rows: RowCounts;
  /** SHA-256 of all tables, rows and the position of the feed, as they are written: the same content has the same. */
  readonly digest: string;
}

/** A line of the content, as JSON. A row is an array; every other line is an object with one member. */
export type ContentLine =
  | { readonly contents: Contents }
  | { readonly table: string; readonly columns: readonly string[] }
  | readonly FileValue[]
  | { readonly lastPosition: number }
  | { readonly end: ContentEnd };

/** Returns how many rows there are in all. */
export const totalOf = (rows: RowCounts): number => Object.values(rows).reduce((sum, count) => sum + count, 0);

/** Told while rows are written or read. */
export type OnProgress = (progress: { readonly table: string; readonly done: number; readonly total: number }) => void;
