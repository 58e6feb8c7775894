/** A table that an export contains. */
export interface Table {
  readonly name: string;
  /** The columns by which its rows are ordered, the same on both engines. */
  readonly key: string;
  /** Every column that is exported. */
  readonly columns: string;
}

/** Returns the names of the columns of a table. */
export const columnsOf = ({ columns }: Table): string[] => columns.split(",").map((column) => column.trim());
