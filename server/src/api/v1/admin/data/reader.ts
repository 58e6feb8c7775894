import { Fault } from "../../../../base/fault.ts";
import type { Perform } from "./perform.ts";

/** The fields of lists that pages are read by. */
interface PageOf {
  readonly offset: bigint;
  readonly limit: number;
  readonly asc: boolean;
}

type List<Row> = (query: PageOf) => Promise<{
  readonly result: readonly Row[];
  readonly details?: { readonly totalResult: bigint } | undefined;
}>;

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

/** Yields the rows of a list page by page, to its end: a page may end before its limit, where its rows are long. */
export async function* pagesOf<Row>(list: List<Row>, limit = usualPage): AsyncGenerator<readonly Row[]> {
  let count = 0;
  let total = Number.POSITIVE_INFINITY;
  while (count < total) {
    const { result, details } = await list({ offset: BigInt(count), limit, asc: true });
    if (result.length === 0) return;
    yield result;
    count += result.length;
    total = details === undefined ? total : Number(details.totalResult);
  }
}

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
      const rows: Row[] = [];
      for await (const page of pagesOf(list, sizeOf === undefined ? usualPage : shortPage)) {
        for (const row of page) {
          rows.push(row);
          bytes += sizeOf?.(row) ?? 0;
        }
        count += page.length;
        if (count > mostRows || bytes > mostBytes) throw new Fault("resource_exhausted", "data.too_much");
      }
      return rows;
    },
  };
}
