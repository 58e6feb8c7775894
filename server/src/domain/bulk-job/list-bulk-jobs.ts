import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import type { BulkJob, RowOutcome } from "./bulk-job.ts";
import { type BulkJobFilter, type BulkJobResult, listJobRows, listResultRows } from "./bulk-job-list.store.ts";

/** Lists the jobs of organizations whose users the caller may read. */
export function listBulkJobs(
  deps: { readonly database: Database },
  call: Call,
  search: { readonly filters: readonly BulkJobFilter[]; readonly page: Page; readonly isDescending: boolean },
): Promise<List<BulkJob>> {
  const reach = requireCaller(call).access.reach("user.read");
  return listJobRows(deps.database.read, call.instanceId, { ...search, reach });
}

/** Returns one of these jobs. */
export async function getBulkJob(
  deps: { readonly database: Database },
  call: Call,
  { jobId }: { readonly jobId: string },
): Promise<BulkJob> {
  const search = { filters: [{ by: "ids", jobIds: [jobId] }], page: { offset: 0, limit: 1 } } as const;
  const [found] = (await listBulkJobs(deps, call, { ...search, isDescending: true })).rows;
  if (found === undefined) throw new Fault("not_found", "job.not_found", { field: "id" });
  return found;
}

/** Lists the rows of one of these jobs. */
export async function listBulkJobResults(
  deps: { readonly database: Database },
  call: Call,
  wanted: {
    readonly jobId: string;
    readonly outcome: RowOutcome | undefined;
    readonly page: Page;
    readonly isDescending: boolean;
  },
): Promise<List<BulkJobResult>> {
  const { jobId, ...rest } = wanted;
  const job = await getBulkJob(deps, call, { jobId });
  return listResultRows(deps.database.read, call.instanceId, { job, ...rest });
}
