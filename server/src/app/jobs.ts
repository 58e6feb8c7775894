import { createJobs, type Schedule } from "../jobs/index.ts";
import type { Answering } from "./answering.ts";
import type { Domain } from "./domain.ts";

/** The jobs of this process; each run is counted, and logged when it did something or failed. */
export function createAppJobs(domain: Domain, { observeJob }: Answering): Schedule {
  return createJobs({
    ...domain,
    observe: (run) => {
      observeJob(run);
      const { job, counts, error } = run;
      const milliseconds = Math.round(run.milliseconds);
      if (error !== undefined) domain.log.error({ err: error, job, milliseconds }, "job failed");
      else if (Object.values(counts).some((count) => count > 0)) {
        domain.log.info({ job, milliseconds, ...counts }, "job done");
      }
    },
  });
}
