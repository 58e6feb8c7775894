import { hours, type Instant, minutes } from "../../base/clock.ts";
import type { Language } from "../../base/language.ts";
import type { Caller, Scope } from "../../call/index.ts";

/** Roles of a project. An empty organization means the owner of the project. */
interface RoleArguments {
  readonly projectId: string;
  readonly organizationId: string;
  readonly roleKeys: readonly string[];
}

/** What a job does with each user. */
export type BulkAction =
  | { readonly kind: "deactivate" | "reactivate" | "lock" | "unlock" | "delete" | "resend_invitation" }
  | { readonly kind: "add_roles" | "remove_roles"; readonly roles: RoleArguments }
  /** Values are base64. */
  | { readonly kind: "set_metadata"; readonly metadata: readonly { readonly key: string; readonly value: string }[] };

export type BulkActionKind = BulkAction["kind"];

/** The permission without which no row can succeed. */
export const permissionOf: Readonly<Record<BulkActionKind, string>> = {
  deactivate: "user.write",
  reactivate: "user.write",
  lock: "user.write",
  unlock: "user.write",
  delete: "user.delete",
  resend_invitation: "user.write",
  add_roles: "user.grant.write",
  remove_roles: "user.grant.write",
  set_metadata: "user.write",
};

/** Actions that end the access of their user: a filter never selects the creator for them. */
export const endsAccess: ReadonlySet<BulkActionKind> = new Set(["deactivate", "lock", "delete"]);

/** Queued, or running, or ended. */
export type BulkJobState = "queued" | "running" | "completed" | "canceled" | "stopped";

/** The user as whom each row is done, and the credential by which they created the job. */
export type JobCreator = Pick<Caller, "userId" | "sessionId" | "token"> & { readonly language: Language };

export interface BulkJob {
  readonly jobId: string;
  /** Empty: users of the whole instance. */
  readonly organizationId: string;
  readonly creator: JobCreator;
  readonly action: BulkAction;
  readonly isDryRun: boolean;
  readonly state: BulkJobState;
  /** Why it was stopped: the slug of a fault. */
  readonly reason: string | undefined;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  readonly startedAt: Instant | undefined;
  readonly endedAt: Instant | undefined;
}

export type RowOutcome = "succeeded" | "failed";

/** One user of a job. */
export interface BulkJobRow {
  readonly position: number;
  readonly userId: string;
}

/** As many users as one job may have. */
export const mostRows = 10_000;

/**
 * As many jobs that have not ended an organization may have, and all organizations of an instance beside the first of
 * each. So the first is always taken, however many others have. Administrators of the instance always have room for
 * theirs.
 */
export const mostUnfinished = { organization: 10, instance: 50 } as const;

/** From its creation on, a job goes on for so long. */
export const longestJob = hours(24);

/** How long a node has a job to itself before it has to say so again. */
export const claimLifetime = minutes(1);

/** The aggregate of the events of a job. */
export const jobAggregate = (
  instanceId: string,
  { jobId, organizationId }: Pick<BulkJob, "jobId" | "organizationId">,
) =>
  ({
    aggregateType: "job",
    aggregateId: jobId,
    ownerId: organizationId === "" ? instanceId : organizationId,
  }) as const;

/** What stands in a job about the organization that it is about, as the scope of a permission. */
export const scopeOf = ({ organizationId }: Pick<BulkJob, "organizationId">): Scope =>
  organizationId === "" ? {} : { organizationId };
