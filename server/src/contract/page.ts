import { Fault } from "../base/fault.ts";
import type { Page } from "../database/index.ts";

/** What list requests say of their page: `ListQuery` and `PaginationRequest` have the same fields. */
interface PageRequest {
  readonly offset: bigint;
  readonly limit: number;
  readonly asc: boolean;
}

const defaultLimit = 100;
const maximumLimit = 1000;

/** Which part of a list is asked for, and whether the list runs downwards. */
export interface RequestedPage {
  readonly page: Page;
  readonly isDescending: boolean;
}

/** The page of a list request: 100 rows when none are asked for, downwards unless `asc`. Refuses more than 1,000 rows. */
export function toPage(request: PageRequest | undefined, field: "pagination" | "query" = "pagination"): RequestedPage {
  const { offset, limit, asc } = request ?? { offset: 0n, limit: 0, asc: false };
  if (limit > maximumLimit) {
    throw new Fault("invalid_argument", "page.limit_exceeded", {
      field: `${field}.limit`,
      values: { maximum: maximumLimit },
    });
  }
  if (offset > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Fault("invalid_argument", "page.offset_exceeded", { field: `${field}.offset` });
  }
  return { page: { offset: Number(offset), limit: limit === 0 ? defaultLimit : limit }, isDescending: !asc };
}

/** How long the list is and which limit was applied (`PaginationResponse`). */
export function toPagination(total: number, page: Page) {
  return { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) };
}
