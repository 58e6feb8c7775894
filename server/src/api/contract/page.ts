import { Fault } from "../../base/fault.ts";
import type { Page } from "../../database/index.ts";

/** The page fields of list requests: `ListQuery` and `PaginationRequest` have the same ones. */
interface PageRequest {
  readonly offset: bigint;
  readonly limit: number;
  readonly asc: boolean;
  /** Lists of version 1 count everything. */
  readonly countUpTo?: number;
}

const defaultLimit = 100;
const maximumLimit = 1000;

/** The requested part of a list, and whether its order is descending. */
export interface RequestedPage {
  readonly page: Page;
  readonly isDescending: boolean;
}

/**
 * Returns the page of a list request: 100 rows by default, descending unless `asc`, of everything that matches unless
 * `countUpTo` says how far it is counted. Refuses more than 1,000 rows.
 */
export function toPage(request: PageRequest | undefined, field: "pagination" | "query" = "pagination"): RequestedPage {
  const { offset, limit, asc, countUpTo = 0 } = request ?? { offset: 0n, limit: 0, asc: false };
  if (limit > maximumLimit) {
    throw new Fault("invalid_argument", "page.limit_exceeded", {
      field: `${field}.limit`,
      values: { maximum: maximumLimit },
    });
  }
  if (offset > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Fault("invalid_argument", "page.offset_exceeded", { field: `${field}.offset` });
  }
  return {
    page: {
      offset: Number(offset),
      limit: limit === 0 ? defaultLimit : limit,
      // Beyond it the end of the list is of interest.
      ...(countUpTo > 0 && offset < BigInt(countUpTo) && { countUpTo }),
    },
    isDescending: !asc,
  };
}

/**
 * The same for lists of version 1, whose callers expect all rows where they name no limit: as many as a page may have.
 * The total says whether there are more.
 */
export function toPageV1(request: PageRequest | undefined): RequestedPage {
  const { offset, limit, asc } = request ?? { offset: 0n, limit: 0, asc: false };
  return toPage({ offset, limit: limit === 0 ? maximumLimit : limit, asc }, "query");
}

/** Returns the length of the list and the applied limit (`PaginationResponse`). */
export function toPagination(total: number, page: Page) {
  return { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) };
}
