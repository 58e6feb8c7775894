import { type Call, type Caller, withoutLoginClient } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import { isSessionLive } from "../session/index.ts";
import { type BulkJob, permissionOf, scopeOf } from "./bulk-job.ts";
import { isActiveUser, isTokenRevoked } from "./creator.store.ts";

/** Why a job does not go on: the slug of a fault. */
export type StopReason = "job.creator_gone" | "job.permission_withdrawn" | "job.too_long";

/**
 * Returns the creator of a job as a caller, with the roles committed now, or why the job ends: they are not active,
 * their session was ended, their credential was revoked or has expired, or they may not do this any longer in the scope
 * of the job. The strict profile judged their sign-in when they created it: without a good one they had no such
 * permission.
 */
export async function loadCreator(
  deps: { readonly database: Pick<Database, "read"> },
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  job: BulkJob,
): Promise<Caller | StopReason> {
  const { language: _language, ...identity } = job.creator;
  const { userId, sessionId, token, credentialExpiresAt } = identity;
  const reader = deps.database.read;
  const isThere =
    (await isActiveUser(reader, instanceId, userId)) &&
    (sessionId === undefined || (await isSessionLive(reader, instanceId, sessionId))) &&
    (token === undefined || !(await isTokenRevoked(reader, instanceId, token))) &&
    (credentialExpiresAt === undefined || credentialExpiresAt > now);
  if (!isThere) return "job.creator_gone";
  const access = await loadAccess(reader, instanceId, userId);
  const isAllowed = withoutLoginClient(access).allows(permissionOf[job.action.kind], scopeOf(job));
  return isAllowed ? { ...identity, access } : "job.permission_withdrawn";
}
