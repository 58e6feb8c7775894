import { Fault } from "../../../../base/fault.ts";
import type { Perform, Run } from "./run.ts";

/** The fields of lists that pages are read by. */
interface PageOf {
  readonly offset: bigint;
  readonly limit: number;
  readonly asc: boolean;
}

/** Reads what an export holds, as its caller could. */
export interface Reader {
  readonly perform: Perform;
  /** Returns all pages of a list. */
  readAll<Row>(list: (query: PageOf) => Promise<{ readonly result: readonly Row[] }>): Promise<Row[]>;
}

const pageLength = 500;

// All rows are in memory at once.
const mostRows = 50_000;

/** Creates a reader; it throws `resource_exhausted` when all lists together are longer than one response may be. */
export function createReader({ perform }: Run): Reader {
  let count = 0;
  return {
    perform,
    readAll: async <Row>(list: (query: PageOf) => Promise<{ readonly result: readonly Row[] }>) => {
      const rows: Row[] = [];
      let length = pageLength;
      while (length === pageLength) {
        const { result } = await list({ offset: BigInt(rows.length), limit: pageLength, asc: true });
        for (const row of result) rows.push(row);
        length = result.length;
        count += length;
        if (count > mostRows) throw new Fault("resource_exhausted", "data.too_much");
      }
      return rows;
    },
  };
}
