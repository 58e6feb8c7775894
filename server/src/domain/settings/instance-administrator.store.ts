import { type Reader, sql } from "../../database/index.ts";

/** Returns whether a user administers the instance or an organization, in any role. */
export async function administersAnything(reader: Reader, instanceId: string, userId: string): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from membership_roles
    where instance_id = ${instanceId} and user_id = ${userId} and level in ('instance', 'organization') limit 1`);
  return row !== undefined;
}

/**
 * Returns whether a user administers the instance, the given organization, or a project or a grant that it owns, in any
 * role.
 */
export async function administersOrganization(
  reader: Reader,
  instanceId: string,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from membership_roles r
    join memberships m on m.instance_id = r.instance_id and m.level = r.level and m.resource_id = r.resource_id
      and m.user_id = r.user_id
    where r.instance_id = ${instanceId} and r.user_id = ${userId}
      and (r.level = 'instance' or m.organization_id = ${organizationId}) limit 1`);
  return row !== undefined;
}

/** Returns whether a user administers the instance itself, in any role. */
export async function administersInstance(reader: Reader, instanceId: string, userId: string): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from membership_roles
    where instance_id = ${instanceId} and user_id = ${userId} and level = 'instance' limit 1`);
  return row !== undefined;
}
