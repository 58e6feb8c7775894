import { type Call, requirePermission } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import { listReached } from "./milestone.store.ts";
import { type Milestone, milestoneTypes } from "./milestone.ts";

export interface MilestoneSearch {
  /** Only milestones that are reached, or only others; all must hold. */
  readonly areReached: readonly boolean[];
  readonly orderBy: "type" | "reached_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

/** Lists the milestones of the instance, reached or not, for callers who may read them. */
export async function listMilestones(
  deps: { readonly database: Database },
  call: Call,
  { areReached, orderBy, isDescending, page }: MilestoneSearch,
): Promise<List<Milestone>> {
  requirePermission(call, "milestones.read", {});
  const rows = await listReached(deps.database.read, call.instanceId);
  const reachedAt = new Map(rows.map((row) => [row.type, row.reachedAt]));
  const all = milestoneTypes.map((type): Milestone => ({ type, reachedAt: reachedAt.get(type) }));
  const found = all.filter((milestone) =>
    areReached.every((isReached) => isReached === (milestone.reachedAt !== undefined)),
  );
  // What is not reached comes after everything that is. Sorting keeps the order of types where dates are equal.
  if (orderBy === "reached_at") found.sort((one, other) => instantOf(one) - instantOf(other));
  if (isDescending) found.reverse();
  return { rows: found.slice(page.offset, page.offset + page.limit), total: found.length };
}

const instantOf = ({ reachedAt = Number.MAX_SAFE_INTEGER }: Milestone): number => reachedAt;
