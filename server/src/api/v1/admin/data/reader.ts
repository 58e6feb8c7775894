import { Fault } from "../../../../base/fault.ts";
import type { Perform } from "./perform.ts";

/** The fields of lists that pages are read by. */
interface PageOf {
  readonly offset: bigint;
  readonly limit: number;
  readonly asc: boolean;
}

type List<Row> = (query: PageOf) => Promise<{ readonly result: readonly Row[] }>;

/** Reads what an export holds, as its caller could. */
export interface Reader {
  readonly perform: Perform;
  /** Returns all pages of a list. `sizeOf` says how large a row is, where users decide it; pages are short then. */
  readAll<Row>(list: List<Row>, sizeOf?: (row: Row) => number): Promise<Row[]>;
}

const usualPage = 500;
const shortPage = 20;

// Everything is in memory at once.
const mostRows = 50_000;
const mostBytes = 32 * 1024 * 1024;

/**
 * Creates a reader; it throws `resource_exhausted` when all lists together are longer or larger than one response may
 * be.
 */
export function createReader(perform: Perform): Reader {
  let count = 0;
  let bytes = 0;
  return {
    perform,
    readAll: async <Row>(list: List<Row>, sizeOf?: (row: Row) => number) => {
      const limit = sizeOf === undefined ? usualPage : shortPage;
      const rows: Row[] = [];
      let length = limit;
      while (length === limit) {
        const { result } = await list({ offset: BigInt(rows.length), limit, asc: true });
        for (const row of result) {
          rows.push(row);
          bytes += sizeOf?.(row) ?? 0;
        }
        length = result.length;
        count += length;
        if (count > mostRows || bytes > mostBytes) throw new Fault("resource_exhausted", "data.too_much");
      }
      return rows;
    },
  };
}
