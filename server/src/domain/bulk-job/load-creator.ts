import { type Call, type Caller, withoutLoginClient } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import type { ClientDirectory } from "../application/index.ts";
import { type BulkJob, permissionOf, scopeOf } from "./bulk-job.ts";
import { isActiveUser, isSessionThere, isTokenRevoked } from "./creator.store.ts";

/** Why a job does not go on: the slug of a fault. */
export type StopReason = "job.creator_gone" | "job.permission_withdrawn" | "job.too_long";

/**
 * Returns the creator of a job as a caller, with the roles committed now, or why the job ends: they are not active,
 * their session or credential was ended or has expired, the application that they used may no longer call, or they may
 * not do this any longer in the scope of the job. The strict profile judged their sign-in when they created it: without
 * a good one they had no such permission.
 */
export async function loadCreator(
  deps: { readonly database: Pick<Database, "read">; readonly clients: Pick<ClientDirectory, "find"> },
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  job: BulkJob,
): Promise<Caller | StopReason> {
  const { language: _language, ...identity } = job.creator;
  const { userId, sessionId, token, credentialExpiresAt } = identity;
  const reader = deps.database.read;
  const isThere =
    (await isActiveUser(reader, instanceId, userId)) &&
    (sessionId === undefined || (await isSessionThere(reader, { instanceId, now }, sessionId))) &&
    (token === undefined || !(await isTokenRevoked(reader, instanceId, token))) &&
    (await mayCall(deps, instanceId, identity)) &&
    (credentialExpiresAt === undefined || credentialExpiresAt > now);
  if (!isThere) return "job.creator_gone";
  const access = await loadAccess(reader, instanceId, userId);
  const isAllowed = withoutLoginClient(access).allows(permissionOf[job.action.kind], scopeOf(job));
  return isAllowed ? { ...identity, access } : "job.permission_withdrawn";
}

// A service account is its own client.
async function mayCall(
  { clients }: { readonly clients: Pick<ClientDirectory, "find"> },
  instanceId: string,
  { clientId, userId }: Pick<Caller, "clientId" | "userId">,
): Promise<boolean> {
  if (clientId === undefined || clientId === userId) return true;
  const client = await clients.find(instanceId, clientId);
  return client?.isActive === true && client.isTrustedForApi;
}
