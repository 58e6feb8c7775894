import type { Budgets, JobBudgetName } from "../../base/budget/budgets.ts";
import { minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { findRestoredAt, type Tx, takeFromBudget } from "../../database/index.ts";

/** So many users in jobs: at once, and in a minute from then on. */
interface RowBudget {
  readonly name: JobBudgetName;
  readonly most: number;
  readonly perMinute: number;
}

// In the 30 days that a row is kept, an organization has fewer than a million.
const ofOrganization: RowBudget = { name: "job_rows_of_organization", most: 100_000, perMinute: 20 };
const ofInstance: RowBudget = { name: "job_rows_of_instance", most: 1_000_000, perMinute: 200 };

/**
 * Step: takes the users of a new job from what its organization has, or the instance where the caller may do the same
 * everywhere: what organizations used up keeps no administrator of the instance from acting in them. A job that ends
 * early gives nothing back, because its rows were written. Throws the Fault `job.too_many_rows`.
 */
export async function payForRows(
  tx: Tx,
  { budgets }: { readonly budgets: Pick<Budgets, "refused"> },
  job: { readonly organizationId: string; readonly isOfAll: boolean; readonly rows: number },
): Promise<void> {
  const { name: budget, most, perMinute } = job.isOfAll ? ofInstance : ofOrganization;
  const subject = job.isOfAll ? "" : job.organizationId;
  const cost = Math.ceil((job.rows * minutes(1)) / perMinute);
  const allowance = (most * minutes(1)) / perMinute;
  if (await takeFromBudget(tx, { budget, subject, cost, allowance })) return;
  budgets.refused(budget);
  const restoredAt = (await findRestoredAt(tx, { budget, subject })) ?? tx.now;
  const wait = Math.max(0, restoredAt - (tx.now + allowance - cost));
  throw new Fault("resource_exhausted", "job.too_many_rows", {
    values: { minutes: Math.ceil(wait / minutes(1)), seconds: Math.ceil(wait / 1000) },
  });
}
