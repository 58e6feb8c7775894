import { type Call, type Caller, type Presented, withoutLoginClient } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import { type BulkJob, type JobCreator, permissionOf, scopeOf } from "./bulk-job.ts";

/** Why a job does not go on: the slug of a fault. */
export type StopReason = "job.creator_gone" | "job.permission_withdrawn" | "job.too_long";

/** Returns who a creator is now, if our own APIs would still accept the credential with which they created the job. */
export type RecallCreator = (call: Call, creator: JobCreator) => Promise<Presented<Omit<Caller, "access">> | undefined>;

/**
 * Returns the creator of a job as a caller, with the roles committed now, or why the job ends: the credential with
 * which they created it would be refused, for whatever reason but the mere expiry of an access token, or they may not
 * do this any longer in the scope of the job. The strict profile judged how fresh their sign-in was when they created
 * it: without a fresh one they had no such permission.
 */
export async function loadCreator(
  deps: { readonly database: Pick<Database, "read">; readonly recall: RecallCreator },
  call: Call,
  job: BulkJob,
): Promise<Presented<Caller> | StopReason> {
  const identity = await deps.recall(call, job.creator);
  if (identity === undefined) return "job.creator_gone";
  const access = await loadAccess(deps.database.read, call.instanceId, identity.userId);
  const isAllowed = withoutLoginClient(access).allows(permissionOf[job.action.kind], scopeOf(job));
  return isAllowed ? { ...identity, access } : "job.permission_withdrawn";
}
