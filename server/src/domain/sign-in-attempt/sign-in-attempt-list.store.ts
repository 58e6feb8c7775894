import type { Reach } from "../../call/index.ts";
import {
  type InstantMethod,
  instantFilter,
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
import type { RecordedStep, SignInResult } from "./sign-in-attempt.ts";

/** One condition on attempts. */
export type SignInAttemptFilter =
  | { readonly by: "ids"; readonly attemptIds: readonly string[] }
  | { readonly by: "user"; readonly userId: string }
  | { readonly by: "organization"; readonly organizationId: string }
  | { readonly by: "client"; readonly clientId: string }
  | { readonly by: "result"; readonly result: SignInResult }
  | { readonly by: "failure"; readonly hasFailed: boolean }
  | { readonly by: "reference"; readonly reference: string }
  | { readonly by: "startedAt"; readonly method: InstantMethod; readonly instant: number };

/** An attempt with what was read beside it. */
export interface FoundAttempt {
  readonly attemptId: string;
  readonly userId: string | null;
  readonly organizationId: string | null;
  readonly displayName: string | null;
  readonly loginName: string | null;
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly applicationId: string | null;
  readonly projectId: string | null;
  readonly clientOrganizationId: string | null;
  readonly sessionId: string | null;
  readonly result: SignInResult;
  readonly hasFailed: boolean;
  readonly reference: string;
  readonly source: string | null;
  readonly browser: string | null;
  readonly system: string | null;
  readonly steps: readonly RecordedStep[];
  readonly startedAt: number;
  readonly changedAt: number;
}

type Row = Omit<FoundAttempt, "steps" | "hasFailed"> & { readonly steps: string; readonly hasFailed: number };

const columns = text(`a.attempt_id as "attemptId", a.user_id as "userId", a.organization_id as "organizationId",
  u.display_name as "displayName", u.preferred_login_name as "loginName", a.client_id as "clientId",
  c.name as "clientName", c.application_id as "applicationId", c.project_id as "projectId",
  c.organization_id as "clientOrganizationId", a.session_id as "sessionId", a.result, a.has_failed as "hasFailed",
  a.reference, a.source, a.browser, a.system, a.steps, a.started_at as "startedAt", a.changed_at as "changedAt"`);

const from = text("sign_in_attempts a");
const id = text("a.attempt_id");

const joins = (
  instanceId: string,
): Sql => sql`left join users u on u.instance_id = ${instanceId} and u.user_id = a.user_id
  left join applications c on c.instance_id = ${instanceId} and c.client_id = a.client_id`;

/** Returns one page of the attempts within the reach, by their beginning. */
export async function listSignInAttemptRows(
  reader: Reader,
  instanceId: string,
  wanted: {
    readonly reach: Reach;
    readonly filters: readonly SignInAttemptFilter[];
    readonly page: Page;
    readonly isDescending: boolean;
  },
): Promise<List<FoundAttempt>> {
  const { reach, page, isDescending } = wanted;
  const filters = await Promise.all(wanted.filters.map((filter) => resolve(reader, instanceId, filter)));
  const instance = sql`a.instance_id = ${instanceId}`;
  const plan = await planList(reader, { from, instance, id }, filters.map(toListFilter), visibleRows(reach));
  const { rows, total } = await readList<Row>(plan.reader, {
    isPlanned: true,
    columns,
    from,
    joins: joins(instanceId),
    where: [instance, ...plan.where],
    counted: { from, instance, plan: plan.counted },
    orderBy: orderOf(plan, inOrderOf, "instant"),
    id,
    isDescending,
    page,
    weight: text("length(a.steps)"),
  });
  return { rows: rows.map(toFound), total };
}

/** What a permission reaches: attempts of its organizations. Those that belong to none are the instance's. */
function visibleRows({ everywhere, organizationIds }: Reach): VisibleRows | undefined {
  if (everywhere) return undefined;
  const condition = sql`a.organization_id in ${list(organizationIds)}`;
  return {
    condition: picked(condition),
    candidates: { condition, isExact: true },
    isOwn: organizationIds.length === 0,
  };
}

// A reference is that of a request, or of an attempt at a provider: one attempt, or a few.
const fewOfReference = 100;

/** A filter whose rows an index finds. */
const indexed = (condition: Sql, atMost?: number): ListFilter => ({
  condition: picked(condition),
  candidates: { condition, isExact: true, ...(atMost !== undefined && { atMost }) },
});

// As the index has it.
const hasFailed = text("a.has_failed = 1");
const inOrderOf = text("a.started_at");

function toListFilter(filter: ResolvedFilter): ListFilter {
  switch (filter.by) {
    case "ids":
      return indexed(sql`a.attempt_id in ${list(filter.attemptIds)}`, filter.attemptIds.length);
    case "user":
      return indexed(sql`a.user_id = ${filter.userId}`);
    case "organization":
      return indexed(sql`a.organization_id = ${filter.organizationId}`);
    case "failure":
      return filter.hasFailed
        ? { condition: picked(hasFailed), candidates: { condition: hasFailed, isExact: true, inOrderOf } }
        : { condition: text("a.has_failed = 0"), candidates: undefined };
    case "client":
      return indexed(sql`a.client_id = ${filter.clientId}`);
    case "result": {
      const condition = sql`a.result = ${filter.result}`;
      // An attempt that failed has a failure.
      const candidates = { condition: hasFailed, isExact: false, inOrderOf };
      return { condition, candidates: filter.result === "failed" ? candidates : undefined };
    }
    case "startedAt":
      return {
        condition: instantFilter(text("a.started_at"), filter.method, filter.instant),
        candidates: undefined,
      };
    default:
      return filter satisfies never;
  }
}

type ResolvedFilter = Exclude<SignInAttemptFilter, { readonly by: "reference" }>;

/**
 * Finds the attempts of a reference before the list is planned: those that have it last, and those in which a failure
 * had it. SQLite would rather walk all attempts of the instance.
 */
async function resolve(reader: Reader, instanceId: string, filter: SignInAttemptFilter): Promise<ResolvedFilter> {
  if (filter.by !== "reference") return filter;
  const { reference } = filter;
  const rows = await reader.all<{ attemptId: string }>(sql`select attempt_id as "attemptId" from sign_in_attempts
      where instance_id = ${instanceId} and reference = ${reference}
    union all select attempt_id from sign_in_references where instance_id = ${instanceId} and reference = ${reference}
    limit ${fewOfReference}`);
  // No attempt has an empty id.
  return { by: "ids", attemptIds: ["", ...rows.map(({ attemptId }) => attemptId)] };
}

const toFound = ({ steps, hasFailed, ...row }: Row): FoundAttempt => ({
  ...row,
  hasFailed: hasFailed === 1,
  steps: steps
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedStep),
});
