import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type JobResultSchema,
  type JobSchema,
  type JobSearchFilter,
  JobAction as WireAction,
  JobOutcome as WireOutcome,
  JobState as WireState,
} from "@doorward/api/service/job/v2/job_pb";
import { type CreateJobRequest, JobService } from "@doorward/api/service/job/v2/job_service_pb";
import { Fault } from "../../../base/fault.ts";
import {
  type BulkAction,
  type BulkActionKind,
  type BulkJob,
  type BulkJobFilter,
  type BulkJobResult,
  type BulkJobState,
  type CreateBulkJobDeps,
  cancelBulkJob,
  createBulkJob,
  getBulkJob,
  listBulkJobResults,
  listBulkJobs,
  type RowOutcome,
} from "../../../domain/bulk-job/index.ts";
import type { Texts } from "../../../text/index.ts";
import { type Binding, bind, refuseFilter, toPage, toPagination, toTimestamp } from "../../contract/index.ts";
import { toUserFilter } from "../user/user-list.ts";

/** JobService. */
export const jobMethods = (deps: CreateBulkJobDeps & { readonly texts: Texts }): Binding =>
  bind(JobService, {
    createJob: async (call, request) => {
      const { organizationId, dryRun: isDryRun } = request;
      const input = { organizationId, users: readUsers(request), action: readAction(request), isDryRun };
      return { job: toMessage(deps, await createBulkJob(deps, call, input)) };
    },
    getJob: async (call, { id: jobId }) => ({ job: toMessage(deps, await getBulkJob(deps, call, { jobId })) }),
    listJobs: async (call, { filters, pagination }) => {
      const { page, isDescending } = toPage(pagination);
      const { rows, total } = await listBulkJobs(deps, call, { filters: filters.map(toFilter), page, isDescending });
      return { jobs: rows.map((job) => toMessage(deps, job)), pagination: toPagination(total, page) };
    },
    listJobResults: async (call, { id: jobId, outcome, pagination }) => {
      const { page, isDescending } = toPage(pagination ?? firstPage);
      const wanted = { jobId, outcome: wireOutcomes[outcome], page, isDescending };
      const { rows, total } = await listBulkJobResults(deps, call, wanted);
      return { results: rows.map(toResult), pagination: toPagination(total, page) };
    },
    cancelJob: async (call, { id: jobId }) => ({ job: toMessage(deps, await cancelBulkJob(deps, call, { jobId })) }),
  });

const firstPage = { offset: 0n, limit: 0, asc: true } as const;

function readUsers({ users }: CreateJobRequest): Parameters<typeof createBulkJob>[2]["users"] {
  switch (users.case) {
    case "userIds":
      return { by: "ids", userIds: users.value.userIds };
    case "filter":
      return { by: "filter", filters: users.value.queries.map(toUserFilter) };
    case undefined:
      throw new Fault("invalid_argument", "job.users_missing", { field: "userIds" });
    default:
      return users satisfies never;
  }
}

function readAction({ action }: CreateJobRequest): BulkAction {
  switch (action.case) {
    case "deactivate":
    case "reactivate":
    case "lock":
    case "unlock":
    case "delete":
      return { kind: action.case };
    case "resendInvitation":
      return { kind: "resend_invitation" };
    case "addRoles":
    case "removeRoles": {
      const { projectId, organizationId, roleKeys } = action.value;
      const kind = action.case === "addRoles" ? "add_roles" : "remove_roles";
      return { kind, roles: { projectId, organizationId, roleKeys } };
    }
    case "setMetadata": {
      const metadata = action.value.metadata.map(({ key, value }) => ({
        key,
        value: Buffer.from(value).toString("base64"),
      }));
      return { kind: "set_metadata", metadata };
    }
    case undefined:
      throw new Fault("invalid_argument", "job.action_missing", { field: "action" });
    default:
      return action satisfies never;
  }
}

function toFilter({ filter }: JobSearchFilter, index: number): BulkJobFilter {
  switch (filter.case) {
    case "inIdsFilter":
      return { by: "ids", jobIds: filter.value.ids };
    case "organizationIdFilter":
      return { by: "organization", organizationId: filter.value.id };
    case "creatorIdFilter":
      return { by: "creator", userId: filter.value.id };
    case "stateFilter":
      return { by: "state", state: wireStates[filter.value.state] ?? refuseFilter(`filters[${index}]`) };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toMessage({ texts }: { readonly texts: Texts }, job: BulkJob): MessageInitShape<typeof JobSchema> {
  const { action, creator, reason, total, succeeded, failed } = job;
  return {
    id: job.jobId,
    organizationId: job.organizationId,
    creatorId: creator.userId,
    creationDate: toTimestamp(job.createdAt),
    changeDate: toTimestamp(job.changedAt),
    ...(job.startedAt !== undefined && { startDate: toTimestamp(job.startedAt) }),
    ...(job.endedAt !== undefined && { endDate: toTimestamp(job.endedAt) }),
    state: states[job.state],
    action: actions[action.kind],
    dryRun: job.isDryRun,
    total,
    succeeded,
    failed,
    left: total - succeeded - failed,
    ...(reason !== undefined && {
      stopReason: { id: reason, message: texts.translate(creator.language, `fault.${reason}`) },
    }),
    ...("roles" in action && { roles: { ...action.roles, roleKeys: [...action.roles.roleKeys] } }),
    ...("metadata" in action && { metadataKeys: action.metadata.map(({ key }) => key) }),
  };
}

function toResult(row: BulkJobResult): MessageInitShape<typeof JobResultSchema> {
  const { position, userId, outcome, errorId, errorMessage, settledAt } = row;
  return {
    position,
    userId,
    outcome: outcome === null ? WireOutcome.UNSPECIFIED : outcomes[outcome],
    ...(errorId !== null && { error: { id: errorId, message: errorMessage ?? "" } }),
    ...(settledAt !== null && { date: toTimestamp(settledAt) }),
    preferredLoginName: row.loginName ?? "",
    displayName: row.displayName ?? "",
  };
}

const outcomes: Readonly<Record<RowOutcome, WireOutcome>> = {
  succeeded: WireOutcome.SUCCEEDED,
  failed: WireOutcome.FAILED,
};

const wireOutcomes: Readonly<Record<number, RowOutcome>> = {
  [WireOutcome.SUCCEEDED]: "succeeded",
  [WireOutcome.FAILED]: "failed",
};

const states: Readonly<Record<BulkJobState, WireState>> = {
  queued: WireState.QUEUED,
  running: WireState.RUNNING,
  completed: WireState.COMPLETED,
  canceled: WireState.CANCELED,
  stopped: WireState.STOPPED,
};

const wireStates: Readonly<Record<number, BulkJobState>> = {
  [WireState.QUEUED]: "queued",
  [WireState.RUNNING]: "running",
  [WireState.COMPLETED]: "completed",
  [WireState.CANCELED]: "canceled",
  [WireState.STOPPED]: "stopped",
};

const actions: Readonly<Record<BulkActionKind, WireAction>> = {
  deactivate: WireAction.DEACTIVATE,
  reactivate: WireAction.REACTIVATE,
  lock: WireAction.LOCK,
  unlock: WireAction.UNLOCK,
  delete: WireAction.DELETE,
  add_roles: WireAction.ADD_ROLES,
  remove_roles: WireAction.REMOVE_ROLES,
  set_metadata: WireAction.SET_METADATA,
  resend_invitation: WireAction.RESEND_INVITATION,
};
