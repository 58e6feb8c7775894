import { type Sql, text } from "../../database/index.ts";
import type { BulkAction, BulkActionKind, BulkJob, BulkJobState, JobCreator } from "./bulk-job.ts";

/** A row of the table `bulk_jobs`. */
export interface JobRow {
  readonly jobId: string;
  readonly organizationId: string;
  readonly creator: string;
  readonly action: BulkActionKind;
  readonly arguments: string;
  readonly isDryRun: number;
  readonly state: BulkJobState;
  readonly reason: string | null;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export const jobColumns: Sql = text(`j.job_id as "jobId", j.organization_id as "organizationId", j.creator, j.action,
  j.arguments, j.is_dry_run as "isDryRun", j.state, j.reason, j.total, j.succeeded, j.failed, j.sequence,
  j.created_at as "createdAt", j.changed_at as "changedAt", j.started_at as "startedAt", j.ended_at as "endedAt"`);

export function toBulkJob({ creator, action, arguments: given, isDryRun, ...row }: JobRow): BulkJob {
  return {
    ...row,
    creator: JSON.parse(creator) as JobCreator,
    action: { kind: action, ...(JSON.parse(given) as object) } as BulkAction,
    isDryRun: isDryRun === 1,
    reason: row.reason ?? undefined,
    startedAt: row.startedAt ?? undefined,
    endedAt: row.endedAt ?? undefined,
  };
}
