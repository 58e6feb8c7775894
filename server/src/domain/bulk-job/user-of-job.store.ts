import { type Reader, sql } from "../../database/index.ts";

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
