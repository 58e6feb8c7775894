import { type Account, pageIn } from "./account.ts";
import type { Pager } from "./pager.ts";

// A limit for the offset, beyond any plausible page.
const farthest = 10_000;

/** Returns the offset of the page in the address; 0 for anything but a number. */
export function readOffset({ visit }: Account): number {
  const offset = Number(visit.query.get("from") ?? 0);
  return Number.isInteger(offset) && offset > 0 ? Math.min(offset, farthest) : 0;
}

/** Returns the addresses of the previous and next page. */
export function pagerOf(
  account: Account,
  path: string,
  { offset, limit, total }: { readonly offset: number; readonly limit: number; readonly total: number },
): Pager {
  const at = (from: number) => pageIn(account, path, { from: from > 0 ? String(from) : undefined });
  return {
    newerHref: offset > 0 ? at(Math.max(offset - limit, 0)) : undefined,
    olderHref: offset + limit < total ? at(offset + limit) : undefined,
  };
}
