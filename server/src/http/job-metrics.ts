import { Counter, Histogram, type Registry } from "prom-client";

/** One run of something that is done without a request. */
export interface ObservedJob {
  readonly job: string;
  readonly milliseconds: number;
  /** How many records of each class it handled. */
  readonly counts: Readonly<Record<string, number>>;
  /** Why it failed; absent when it did not. */
  readonly error?: unknown;
}

/** Counts runs of jobs in a registry. */
export function createJobMetrics(registry: Registry): (run: ObservedJob) => void {
  const records = new Counter({
    name: "doorward_job_records_total",
    help: "Records that jobs handled, by job and class of record",
    labelNames: ["job", "records"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "doorward_job_duration_seconds",
    help: "Duration of the runs of jobs, by how they ended",
    labelNames: ["job", "outcome"],
    buckets: [0.001, 0.01, 0.1, 1, 10, 60, 600],
    registers: [registry],
  });
  return ({ job, milliseconds, counts, error }) => {
    for (const [name, count] of Object.entries(counts)) records.inc({ job, records: name }, count);
    durations.observe({ job, outcome: error === undefined ? "done" : "failed" }, milliseconds / 1000);
  };
}
