import { join, list, type Reader, sql, type Tx } from "../../database/index.ts";

// SQLite allows 32,766 parameters per statement.
const idsPerStatement = 10_000;

/** Lists the role keys of each of the role assignments, in alphabetical order. */
export async function listRoleKeys(
  reader: Reader,
  instanceId: string,
  authorizationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byAuthorization = new Map<string, string[]>();
  for (let start = 0; start < authorizationIds.length; start += idsPerStatement) {
    const ids = authorizationIds.slice(start, start + idsPerStatement);
    const rows = await reader.all<{ authorizationId: string; roleKey: string }>(sql`select
        authorization_id as "authorizationId", role_key as "roleKey" from authorization_roles
      where instance_id = ${instanceId} and authorization_id in ${list(ids)} order by authorization_id, role_key`);
    for (const { authorizationId, roleKey } of rows) {
      const keys = byAuthorization.get(authorizationId);
      if (keys === undefined) byAuthorization.set(authorizationId, [roleKey]);
      else keys.push(roleKey);
    }
  }
  return byAuthorization;
}

export async function insertAuthorizationRoles(
  tx: Tx,
  authorizationId: string,
  roleKeys: readonly string[],
): Promise<void> {
  if (roleKeys.length === 0) return;
  const rows = roleKeys.map((roleKey) => sql`(${tx.instanceId}, ${authorizationId}, ${roleKey})`);
  await tx.run(
    sql`insert into authorization_roles (instance_id, authorization_id, role_key) values ${join(rows, ", ")}`,
  );
}

export async function deleteAuthorizationRoles(
  tx: Tx,
  authorizationId: string,
  roleKeys: readonly string[],
): Promise<void> {
  await tx.run(sql`delete from authorization_roles where instance_id = ${tx.instanceId}
    and authorization_id = ${authorizationId} and role_key in ${list(roleKeys)}`);
}

/** Removes roles from assignments. */
export async function deleteRolesOfAuthorizations(
  tx: Tx,
  authorizationIds: readonly string[],
  roleKeys: readonly string[],
): Promise<void> {
  await tx.run(sql`delete from authorization_roles where instance_id = ${tx.instanceId}
    and role_key in ${list(roleKeys)} and authorization_id in ${list(authorizationIds)}`);
}
