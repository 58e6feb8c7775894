import type { Companion } from "../../call/index.ts";
import { createCompanion, type Database, type Tx, trial } from "../../database/index.ts";
import { countOutcome, isSettledBy, putOutcome, type Settlement } from "./bulk-job.store.ts";
import type { BulkJob, BulkJobRow } from "./bulk-job.ts";

/** Thrown in place of the commit of an operation: its row has an outcome already, or its job has ended. */
export class RowSettled extends Error {
  override readonly name = "RowSettled";

  constructor() {
    super("the row was settled, or its job ended, while its operation ran");
  }
}

/** What settles a row: which one, and by which try. */
export interface RowTry {
  readonly job: Pick<BulkJob, "jobId" | "isDryRun">;
  readonly row: BulkJobRow;
  readonly attempt: string;
}

/**
 * Returns what joins the operation of a row: its success is written in the unit of work of the operation. So both are
 * there, or neither, after a crash and with several nodes; and nothing is done once the job was canceled.
 */
export const companionOf = ({ job, row, attempt }: RowTry): Companion =>
  job.isDryRun
    ? trial
    : createCompanion(async (tx) => {
        const settled = { jobId: job.jobId, position: row.position, attempt };
        // The second unit of the same operation.
        if (await isSettledBy(tx, settled)) return;
        if (!(await settle(tx, { ...settled, outcome: "succeeded" }))) throw new RowSettled();
      });

/** Writes the outcome of a row whose operation changed nothing: it failed, was only tried, or had nothing to do. */
export async function settleRow(
  { database }: { readonly database: Database },
  call: Parameters<Database["touch"]>[0],
  settlement: Settlement,
): Promise<void> {
  await database.touch(call, (tx) => settle(tx, settlement));
}

async function settle(tx: Tx, settlement: Settlement): Promise<boolean> {
  if (!(await putOutcome(tx, settlement))) return false;
  if (await countOutcome(tx, settlement)) return true;
  throw new RowSettled();
}
