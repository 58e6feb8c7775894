import { sql, type Tx } from "../../database/index.ts";
import type { FactorKind } from "../factor/index.ts";

/**
 * Lists the roles at an organization of human users who are at home there and have no role at the instance, each once.
 */
export async function listRolesAtHome(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx.all<{ role: string }>(sql`select distinct m.role from membership_roles m
    join users u on u.instance_id = m.instance_id and u.user_id = m.user_id and u.organization_id = ${organizationId}
      and u.kind = 'human'
    where m.instance_id = ${tx.instanceId} and m.level = 'organization' and m.resource_id = ${organizationId}
      and not exists (select 1 from membership_roles i where i.instance_id = ${tx.instanceId} and i.user_id = m.user_id
        and i.level = 'instance')
    order by m.role`);
  return rows.map(({ role }) => role);
}

/**
 * Lists the factors that human administrators of an organization have who are at home there, without those with a role
 * at the instance; null for one without any.
 */
export function listFactorsAtHome(
  tx: Tx,
  organizationId: string,
): Promise<{ readonly userId: string; readonly kind: FactorKind | null }[]> {
  return tx.all(sql`select distinct m.user_id as "userId", f.kind from membership_roles m
    join users u on u.instance_id = m.instance_id and u.user_id = m.user_id and u.organization_id = ${organizationId}
      and u.kind = 'human'
    left join user_factors f on f.instance_id = m.instance_id and f.user_id = m.user_id and f.state = 'ready'
      and f.kind <> 'recovery_codes'
    where m.instance_id = ${tx.instanceId} and m.level = 'organization' and m.resource_id = ${organizationId}
      and not exists (select 1 from membership_roles i where i.instance_id = ${tx.instanceId} and i.user_id = m.user_id
        and i.level = 'instance')
    order by m.user_id, f.kind`);
}
