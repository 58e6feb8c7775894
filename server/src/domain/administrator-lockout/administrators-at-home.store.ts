import { list, type Reader, sql, type Tx } from "../../database/index.ts";

/** A human administrator who is at home in an organization. */
export interface AdministratorAtHome {
  readonly userId: string;
  /** Whether they administer the instance, whose settings hold for them then. */
  readonly isOfInstance: number;
  /** Whether they administer the instance or an organization, of whom the strict profile demands two factors. */
  readonly isOfOrganization: number;
}

/**
 * Lists human users who are at home in an organization and have a role at the instance, at the organization, or at a
 * project or grant that it owns. Those come first who can help the others: of the instance, then owners. Without users
 * who are deactivated or locked. At most `limit`.
 */
export function listAdministratorsAtHome(
  tx: Tx,
  organizationId: string,
  limit: number,
): Promise<AdministratorAtHome[]> {
  return tx.all(sql`select u.user_id as "userId",
      max(case when r.level = 'instance' then 1 else 0 end) as "isOfInstance",
      max(case when r.level in ('instance', 'organization') then 1 else 0 end) as "isOfOrganization"
    from users u join membership_roles r on r.instance_id = u.instance_id and r.user_id = u.user_id
    where u.instance_id = ${tx.instanceId} and u.organization_id = ${organizationId} and u.kind = 'human'
      and u.state in ('active', 'initial')
      and u.user_id in (select m.user_id from memberships m where m.instance_id = ${tx.instanceId}
        and (m.level = 'instance' or m.organization_id = ${organizationId}))
      and exists (select 1 from membership_roles h join memberships o on o.instance_id = h.instance_id
        and o.level = h.level and o.resource_id = h.resource_id and o.user_id = h.user_id
        where h.instance_id = ${tx.instanceId} and h.user_id = u.user_id
          and (h.level = 'instance' or o.organization_id = ${organizationId}))
    group by u.user_id
    order by max(case when r.level = 'instance' then 2
      when r.level = 'organization' and r.role = 'ORG_OWNER' and r.resource_id = ${organizationId} then 1 else 0 end) desc,
      u.user_id
    limit ${limit}`);
}

/**
 * Lists those of them whose login name or verified address lies in a domain that the organization has proven, which
 * leads an ordinary sign-in there.
 */
export async function listDiscoverable(
  reader: Reader,
  instanceId: string,
  {
    organizationId,
    administrators,
  }: { readonly organizationId: string; readonly administrators: readonly AdministratorAtHome[] },
): Promise<ReadonlySet<string>> {
  if (administrators.length === 0) return new Set();
  const ids = administrators.map(({ userId }) => userId);
  const rows = await reader.all<{ userId: string }>(sql`select distinct u.user_id as "userId"
    from users u join organization_domains d on d.instance_id = u.instance_id and d.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.organization_id = ${organizationId} and u.user_id in ${list(ids)}
      and d.instance_id = ${instanceId} and d.is_verified = 1 and d.is_proven = 1
      and (u.login_name_key like '%@' || d.domain or (u.is_email_verified = 1 and u.email_key like '%@' || d.domain))`);
  return new Set(rows.map(({ userId }) => userId));
}
