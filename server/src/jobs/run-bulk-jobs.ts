import { seconds } from "../base/clock.ts";
import type { BulkJobRunner } from "./create-bulk-job-runner.ts";
import type { Job } from "./job.ts";

export interface RunBulkJobsDeps {
  readonly bulkJobs: BulkJobRunner;
}

/** Goes on with bulk jobs that another node or process left, and with those that waited. */
export const runBulkJobs = ({ bulkJobs }: RunBulkJobsDeps): Job => ({
  name: "bulk_jobs",
  every: seconds(15),
  run: () => bulkJobs.run(),
});
