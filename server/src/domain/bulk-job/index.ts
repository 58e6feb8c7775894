export { deleteJobsOfOrganization, findJob, formerJobRows, formerJobs, listPendingRows } from "./bulk-job.store.ts";
export {
  type BulkAction,
  type BulkActionKind,
  type BulkJob,
  type BulkJobRow,
  type BulkJobState,
  longestJob,
  type RowOutcome,
} from "./bulk-job.ts";
export { claimJob, type DueJob, listDueJobs, releaseJob } from "./bulk-job-claim.store.ts";
export type { BulkJobFilter, BulkJobResult } from "./bulk-job-list.store.ts";
export { cancelBulkJob, endJob } from "./cancel-bulk-job.ts";
export { type CreateBulkJobDeps, createBulkJob } from "./create-bulk-job.ts";
export { getBulkJob, listBulkJobResults, listBulkJobs } from "./list-bulk-jobs.ts";
export { loadCreator, type RecallCreator } from "./load-creator.ts";
export { companionOf, RowSettled, settleRow } from "./settle-row.ts";
export { clearUndoneRows, listUnclearedJobs, type UnclearedJob } from "./undone-row.store.ts";
export { isUserOf } from "./user-of-job.store.ts";
