import type { Budgets } from "../../base/budget/budgets.ts";
import { spend } from "../../base/budget/spend.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { type Call, type Caller, isOfInstance, requireCaller, withoutLoginClient } from "../../call/index.ts";
import { type Database, firstSequence, type Tx } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";
import { listUsers, type UserFilter } from "../user-search/index.ts";
import { countUnfinished, insertJob } from "./bulk-job.store.ts";
import {
  type BulkAction,
  type BulkJob,
  endsAccess,
  type JobCreator,
  jobAggregate,
  mostRows,
  mostUnfinished,
  permissionOf,
  scopeOf,
} from "./bulk-job.ts";
import { payForRows } from "./pay-for-rows.ts";

export interface NewBulkJob {
  /** Empty: users of the whole instance. */
  readonly organizationId: string;
  readonly users:
    | { readonly by: "ids"; readonly userIds: readonly string[] }
    | { readonly by: "filter"; readonly filters: readonly UserFilter[] };
  readonly action: BulkAction;
  readonly isDryRun: boolean;
}

export interface CreateBulkJobDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly budgets: Budgets;
}

/**
 * Creates a job for the users who are listed, or who match a filter now. Only users of the instance create jobs:
 * system users and the operator have no rights that could be read again.
 */
export async function createBulkJob(deps: CreateBulkJobDeps, call: Call, input: NewBulkJob): Promise<BulkJob> {
  const caller = requireCaller(call);
  const { action, isDryRun, organizationId } = input;
  const permission = permissionOf[action.kind];
  if (!withoutLoginClient(caller.access).allows(permission, scopeOf(input))) {
    throw new Fault("permission_denied", "permission.missing", { values: { permission } });
  }
  if (!isOfInstance(caller)) throw new Fault("failed_precondition", "job.caller_not_user");
  if (
    organizationId !== "" &&
    (await findOrganization(deps.database.read, call.instanceId, organizationId)) === undefined
  ) {
    throw new Fault("not_found", "organization.not_found", { field: "organizationId" });
  }
  takeFromBudget(deps, call, caller);
  const userIds = await selectUsers(deps, call, input);
  return deps.database.change(call, async (tx) => {
    const isOfAll = withoutLoginClient(caller.access).allows(permission, {});
    // First, because it holds the account of the organization: its jobs that are created at once are counted in turn.
    await payForRows(tx, deps, { organizationId, isOfAll, rows: userIds.length });
    await refuseTooMany(tx, organizationId, isOfAll ? Number.POSITIVE_INFINITY : mostUnfinished.instance);
    const job: BulkJob = {
      jobId: deps.newId(),
      organizationId,
      creator: toCreator(call, caller),
      action,
      isDryRun,
      state: "queued",
      reason: undefined,
      total: userIds.length,
      succeeded: 0,
      failed: 0,
      sequence: await firstSequence(tx, "job", undefined),
      createdAt: tx.now,
      changedAt: tx.now,
      startedAt: undefined,
      endedAt: undefined,
    };
    await insertJob(tx, job, userIds);
    const payload = { action: action.kind, isDryRun, total: job.total };
    tx.record({ type: "job.created", ...jobAggregate(tx.instanceId, job), sequence: job.sequence, payload });
    return job;
  });
}

// A snapshot costs as much as a long list, and its rows as much as as many requests.
function takeFromBudget({ budgets }: CreateBulkJobDeps, { instanceId, now }: Call, { userId }: Caller): void {
  spend(budgets, "jobs_of_caller", { instanceId, now, subject: userId });
}

const pageSize = 1000;

async function selectUsers(deps: CreateBulkJobDeps, call: Call, input: NewBulkJob): Promise<readonly string[]> {
  const { users, organizationId, action } = input;
  if (users.by === "ids") return users.userIds;
  const self = requireCaller(call).userId;
  const filters: UserFilter[] = [...users.filters];
  if (organizationId !== "") filters.push({ by: "organization", organizationId });
  const found = new Set<string>();
  for (let offset = 0; ; ) {
    const page = { offset, limit: pageSize };
    const listed = await listUsers(deps, call, { filters, sortBy: "createdAt", isDescending: false, page });
    if (listed.total > mostRows) {
      throw new Fault("invalid_argument", "job.too_many_users", {
        field: "filter",
        values: { maximum: mostRows, count: listed.total },
      });
    }
    for (const { userId } of listed.users) found.add(userId);
    offset += listed.users.length;
    if (listed.users.length === 0 || offset >= listed.total) break;
  }
  if (endsAccess.has(action.kind)) found.delete(self);
  if (found.size === 0) throw new Fault("failed_precondition", "job.no_users", { field: "filter" });
  return [...found].slice(0, mostRows);
}

async function refuseTooMany(tx: Tx, organizationId: string, mostOfInstance: number): Promise<void> {
  const { ofOrganization, besideFirsts } = await countUnfinished(tx, organizationId);
  const hasRoom = ofOrganization === 0 || besideFirsts < mostOfInstance;
  if (hasRoom && ofOrganization < mostUnfinished.organization) return;
  throw new Fault("resource_exhausted", "job.too_many_unfinished");
}

function toCreator({ language }: Call, caller: Caller): JobCreator {
  const { userId, sessionId, token } = caller;
  return {
    userId,
    language,
    ...(sessionId !== undefined && { sessionId }),
    ...(token !== undefined && { token }),
  };
}
