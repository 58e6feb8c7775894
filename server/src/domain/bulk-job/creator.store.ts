import type { Call, Caller } from "../../call/index.ts";
import { type Reader, sql } from "../../database/index.ts";

/** Whether a user is active, in an active organization. */
export async function isActiveUser(reader: Reader, instanceId: string, userId: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from users u
    where u.instance_id = ${instanceId} and u.user_id = ${userId} and u.state = 'active'
      and (select o.state from organizations o
        where o.instance_id = ${instanceId} and o.organization_id = u.organization_id) = 'active'`);
  return row !== undefined;
}

/** Whether a session was not ended and has not expired. */
export async function isSessionThere(
  reader: Reader,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  sessionId: string,
): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from sessions
    where instance_id = ${instanceId} and session_id = ${sessionId} and terminated_at is null
      and (expires_at is null or expires_at > ${now})`);
  return row !== undefined;
}

/**
 * Whether the token by which a job was created was taken away, alone or with its family. One of a client that merely
 * expired was not: a job may take longer.
 */
export async function isTokenRevoked(
  reader: Reader,
  instanceId: string,
  { kind, id, familyId }: NonNullable<Caller["token"]>,
): Promise<boolean> {
  if (kind === "personal_access_token") {
    const row = await reader.maybe(sql`select 1 as "found" from personal_access_tokens
      where instance_id = ${instanceId} and token_id = ${id}`);
    return row === undefined;
  }
  const row = await reader.maybe(sql`select 1 as "found" from token_families
    where instance_id = ${instanceId} and family_id = ${familyId} and revoked_at is not null
    union all select 1 from access_tokens
    where instance_id = ${instanceId} and token_id = ${id} and revoked_at is not null`);
  return row !== undefined;
}

/** Whether a user is one of those whom a job is about. */
export async function isUserOf(
  reader: Reader,
  instanceId: string,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const row = await reader.maybe<{ organizationId: string }>(sql`select organization_id as "organizationId" from users
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return row !== undefined && (organizationId === "" || row.organizationId === organizationId);
}
