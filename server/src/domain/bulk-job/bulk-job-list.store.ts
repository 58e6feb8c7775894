import type { Reach } from "../../call/index.ts";
import {
  type List,
  type ListFilter,
  list,
  orderOf,
  type Page,
  picked,
  planList,
  type Reader,
  readList,
  type Sql,
  sql,
  text,
  type VisibleRows,
} from "../../database/index.ts";
import type { BulkJob, BulkJobState, RowOutcome } from "./bulk-job.ts";
import { type JobRow, jobColumns, toBulkJob } from "./bulk-job-row.ts";

/** One condition on jobs. */
export type BulkJobFilter =
  | { readonly by: "ids"; readonly jobIds: readonly string[] }
  | { readonly by: "organization"; readonly organizationId: string }
  | { readonly by: "creator"; readonly userId: string }
  | { readonly by: "state"; readonly state: BulkJobState };

const from = text("bulk_jobs j");
const id = text("j.job_id");

/** Returns one page of the jobs within the reach, by their creation. */
export async function listJobRows(
  reader: Reader,
  instanceId: string,
  wanted: {
    readonly reach: Reach;
    readonly filters: readonly BulkJobFilter[];
    readonly page: Page;
    readonly isDescending: boolean;
  },
): Promise<List<BulkJob>> {
  const { reach, filters, page, isDescending } = wanted;
  const instance = sql`j.instance_id = ${instanceId}`;
  const plan = await planList(reader, { from, instance, id }, filters.map(toListFilter), visibleRows(reach));
  const { rows, total } = await readList<JobRow>(plan.reader, {
    isPlanned: true,
    columns: jobColumns,
    from,
    where: [instance, ...plan.where],
    counted: { from, instance, plan: plan.counted },
    orderBy: orderOf(plan, text("j.created_at"), "instant"),
    id,
    isDescending,
    page,
    weight: text("length(j.arguments)"),
  });
  return { rows: rows.map(toBulkJob), total };
}

/** Jobs of organizations whose users may be read. Those about the whole instance are for readers of all its users. */
function visibleRows({ everywhere, organizationIds }: Reach): VisibleRows | undefined {
  if (everywhere) return undefined;
  const condition = sql`j.organization_id in ${list(organizationIds)}`;
  return {
    condition: picked(condition),
    candidates: { condition, isExact: true },
    isOwn: organizationIds.length === 0,
  };
}

/** A filter whose rows an index finds. */
const indexed = (condition: Sql, atMost?: number): ListFilter => ({
  condition: picked(condition),
  candidates: { condition, isExact: true, ...(atMost !== undefined && { atMost }) },
});

function toListFilter(filter: BulkJobFilter): ListFilter {
  switch (filter.by) {
    case "ids":
      return indexed(sql`j.job_id in ${list(filter.jobIds)}`, filter.jobIds.length);
    case "organization":
      return indexed(sql`j.organization_id = ${filter.organizationId}`);
    case "creator":
      return { condition: sql`j.creator_id = ${filter.userId}`, candidates: undefined };
    case "state":
      return { condition: sql`j.state = ${filter.state}`, candidates: undefined };
    default:
      return filter satisfies never;
  }
}

/** A row of a job with what is known of its user. */
export interface BulkJobResult {
  readonly position: number;
  readonly userId: string;
  readonly outcome: RowOutcome | null;
  readonly errorId: string | null;
  readonly errorMessage: string | null;
  readonly settledAt: number | null;
  readonly loginName: string | null;
  readonly displayName: string | null;
}

/**
 * Returns one page of the rows of a job, in their order. Names are those of users who are in the organization of the
 * job now, because others may list any id.
 */
export function listResultRows(
  reader: Reader,
  instanceId: string,
  wanted: {
    readonly job: Pick<BulkJob, "jobId" | "organizationId" | "endedAt">;
    readonly outcome: RowOutcome | undefined;
    readonly page: Page;
    readonly isDescending: boolean;
  },
): Promise<List<BulkJobResult>> {
  const { job, outcome, page, isDescending } = wanted;
  const isOfJob = job.organizationId === "" ? text("1 = 1") : sql`u.organization_id = ${job.organizationId}`;
  return readList<BulkJobResult>(reader, {
    columns: text(`r.position, r.user_id as "userId", r.outcome, r.error_id as "errorId",
      r.error_message as "errorMessage", r.settled_at as "settledAt", u.preferred_login_name as "loginName",
      u.display_name as "displayName"`),
    from: text("bulk_job_rows r"),
    joins: sql`left join users u on u.instance_id = ${instanceId} and u.user_id = r.user_id and ${isOfJob}`,
    where: [
      sql`r.instance_id = ${instanceId} and r.job_id = ${job.jobId}`,
      ...(outcome === undefined ? [] : [sql`r.outcome = ${outcome}`]),
      // What an ended job left undone is deleted little by little.
      ...(job.endedAt === undefined ? [] : [text("r.outcome is not null")]),
    ],
    orderBy: text("r.position"),
    id: text("r.position"),
    isDescending,
    page,
  });
}
