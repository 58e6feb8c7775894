/** One run of a background job. */
export interface ObservedJob {
  readonly job: string;
  readonly milliseconds: number;
  /** How many records of each class it handled. */
  readonly counts: Readonly<Record<string, number>>;
  /** Why it failed; absent on success. */
  readonly error?: unknown;
}

export interface JobMetrics {
  observe(run: ObservedJob): void;
  /** The text of both metrics in the format of Prometheus. */
  write(): string;
}

/** Upper bounds in seconds. */
const bounds = [0.001, 0.01, 0.1, 1, 10, 60, 600];
const recordsName = "doorward_job_records_total";
const durationsName = "doorward_job_duration_seconds";

interface Durations {
  /** Runs in each bucket and those below it. */
  readonly buckets: number[];
  sumSeconds: number;
  count: number;
}

/**
 * Counts runs of jobs. Added up here, so that the library is loaded with the first look at metrics, and not with every
 * start.
 */
export function createJobMetrics(): JobMetrics {
  const records = new Map<string, number>();
  const durations = new Map<string, Durations>();
  return {
    observe: ({ job, milliseconds, counts, error }) => {
      for (const [name, count] of Object.entries(counts)) {
        const labels = `job="${job}",records="${name}"`;
        records.set(labels, (records.get(labels) ?? 0) + count);
      }
      const labels = `job="${job}",outcome="${error === undefined ? "done" : "failed"}"`;
      const of = durations.get(labels) ?? { buckets: bounds.map(() => 0), sumSeconds: 0, count: 0 };
      durations.set(labels, of);
      const seconds = milliseconds / 1000;
      bounds.forEach((bound, index) => {
        if (seconds <= bound) of.buckets[index] = (of.buckets[index] ?? 0) + 1;
      });
      of.sumSeconds += seconds;
      of.count++;
    },
    write: () =>
      [
        `# HELP ${recordsName} Records that jobs handled, by job and class of record`,
        `# TYPE ${recordsName} counter`,
        ...[...records].map(([labels, count]) => `${recordsName}{${labels}} ${count}`),
        "",
        `# HELP ${durationsName} Duration of the runs of jobs, by how they ended`,
        `# TYPE ${durationsName} histogram`,
        ...[...durations].flatMap(([labels, of]) => durationLines(labels, of)),
        "",
      ].join("\n"),
  };
}

// Jobs, classes of records and outcomes are words of the program: nothing in them needs to be escaped.
const durationLines = (labels: string, { buckets, sumSeconds, count }: Durations): string[] => [
  ...buckets.map((inBucket, index) => `${durationsName}_bucket{le="${bounds[index]}",${labels}} ${inBucket}`),
  `${durationsName}_bucket{le="+Inf",${labels}} ${count}`,
  `${durationsName}_sum{${labels}} ${sumSeconds}`,
  `${durationsName}_count{${labels}} ${count}`,
];
