/** What became of a user, or of a part of their data. */
export type What = "failed" | "exists" | "skipped" | "lost" | "changed";

/** A line of the report. Never contains a hash or another secret. */
export interface ReportLine {
  readonly file: string;
  /** Number of the entry in the file, from 1; with CSV the header is the first. */
  readonly row: number;
  readonly user: string;
  readonly field: string;
  readonly what: What;
  readonly why: string;
}

/** Where lines go. */
export interface Report {
  add(lines: readonly ReportLine[]): Promise<void>;
}
