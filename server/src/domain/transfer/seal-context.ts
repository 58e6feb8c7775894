import { type KnownColumn, sealedColumns } from "../reencryption/index.ts";
import { columnsOf, type Table } from "./tables/table.ts";

/** A sealed value of a row: its index, and the context that the vault expects. */
export interface SealedValue {
  readonly index: number;
  readonly contextOf: (row: readonly unknown[]) => string;
}

/** Returns which values of the rows of a table are sealed. */
export function sealedValuesOf(table: Table): SealedValue[] {
  const columns = columnsOf(table);
  const indexOf = (column: string): number => {
    const index = columns.indexOf(column);
    if (index < 0) throw new Error(`${table.name} is exported without ${column}`);
    return index;
  };
  const instance = columns.indexOf("instance_id");
  return sealedColumns
    .filter((sealed) => sealed.table === table.name)
    .map((sealed) => {
      const keys = keyColumns(sealed).map(indexOf);
      return {
        index: indexOf(sealed.column),
        contextOf: (row) =>
          `${table.name}/${String(row[instance])}/${keys.map((key) => String(row[key])).join("/")}/${sealed.part}`,
      };
    });
}

/** The columns of an expression like `target_id || '/' || lane`. */
const keyColumns = ({ contextKey }: KnownColumn): string[] => contextKey.split(" || '/' || ");
