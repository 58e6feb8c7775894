import { join, list, type Reader, readDetails, sql, type Tx } from "../../database/index.ts";

/**
 * Returns the role keys of the grants, in alphabetical order: of all, or of as many from the first as have not too many
 * together.
 */
export async function listGrantRoleKeys(
  reader: Reader,
  instanceId: string,
  grantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await readDetails<{ grantId: string; roleKey: string }>(
    reader,
    grantIds,
    (ids, limit) => sql`select grant_id as "grantId", role_key as "roleKey" from project_grant_roles
      where instance_id = ${instanceId} and grant_id in ${list(ids)} limit ${limit}`,
  );
  const byGrant = Map.groupBy(found.details, ({ grantId }) => grantId);
  const keysOf = (grantId: string): string[] => (byGrant.get(grantId) ?? []).map(({ roleKey }) => roleKey).sort();
  return new Map(grantIds.slice(0, found.rows).map((grantId) => [grantId, keysOf(grantId)]));
}

export async function insertGrantRoles(tx: Tx, grantId: string, roleKeys: readonly string[]): Promise<void> {
  if (roleKeys.length === 0) return;
  const rows = roleKeys.map((roleKey) => sql`(${tx.instanceId}, ${grantId}, ${roleKey})`);
  await tx.run(sql`insert into project_grant_roles (instance_id, grant_id, role_key) values ${join(rows, ", ")}`);
}

export async function deleteGrantRoles(tx: Tx, grantId: string, roleKeys: readonly string[]): Promise<void> {
  await tx.run(sql`delete from project_grant_roles
    where instance_id = ${tx.instanceId} and grant_id = ${grantId} and role_key in ${list(roleKeys)}`);
}

/** Removes a role from grants. */
export async function deleteRoleFromGrants(tx: Tx, grantIds: readonly string[], roleKey: string): Promise<void> {
  await tx.run(sql`delete from project_grant_roles
    where instance_id = ${tx.instanceId} and role_key = ${roleKey} and grant_id in ${list(grantIds)}`);
}
