import type { Tx } from "./database.ts";
import type { EndedRows } from "./ended-rows.ts";
import { sql, text } from "./sql.ts";

interface Taken {
  readonly budget: string;
  readonly subject: string;
  /** Milliseconds that one costs, and how many a whole budget has. */
  readonly cost: number;
  readonly allowance: number;
}

/**
 * Takes one from a budget; false when it has none left. One statement, so that of concurrent takers no more succeed
 * than the budget allows.
 */
export async function takeFromBudget(tx: Tx, { budget, subject, cost, allowance }: Taken): Promise<boolean> {
  const count = await tx.run(sql`insert into budgets (instance_id, budget, subject, restored_at)
    values (${tx.instanceId}, ${budget}, ${subject}, ${tx.now + cost})
    on conflict (instance_id, budget, subject) do update set restored_at = ${cost}
      + case when budgets.restored_at > ${tx.now} then budgets.restored_at else cast(${tx.now} as bigint) end
      where budgets.restored_at <= ${tx.now + allowance - cost}`);
  return count === 1;
}

/** Returns what was taken for something that does not count after all. */
export async function giveBackToBudget(tx: Tx, { budget, subject, cost }: Omit<Taken, "allowance">): Promise<void> {
  await tx.run(sql`update budgets set restored_at = restored_at - ${cost}
    where instance_id = ${tx.instanceId} and budget = ${budget} and subject = ${subject}`);
}

/** Deletes a budget of all its subjects. */
export async function deleteBudget(tx: Tx, budget: string): Promise<void> {
  await tx.run(sql`delete from budgets where instance_id = ${tx.instanceId} and budget = ${budget}`);
}

/** Finds when a budget will be whole again. */
export async function findRestoredAt(
  tx: Tx,
  { budget, subject }: Pick<Taken, "budget" | "subject">,
): Promise<number | undefined> {
  const row = await tx.maybe<{ restoredAt: number }>(sql`select restored_at as "restoredAt" from budgets
    where instance_id = ${tx.instanceId} and budget = ${budget} and subject = ${subject}`);
  return row?.restoredAt;
}

/** Budgets that were whole again before the instant. */
export const restoredBudgets = (before: number): EndedRows => ({
  table: text("budgets"),
  where: () => sql`restored_at < ${before}`,
});
