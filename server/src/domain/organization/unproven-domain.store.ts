import { type Reader, sql } from "../../database/index.ts";

/** The primary domain of an organization that has not proven it, or no longer has it. */
export interface UnprovenDomain {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly domain: string;
}

/** Lists the primary domains without proof of the active organizations of all instances. */
export const listUnprovenPrimaryDomains = (reader: Reader): Promise<UnprovenDomain[]> =>
  reader.all<UnprovenDomain>(sql`select o.instance_id as "instanceId", o.organization_id as "organizationId",
      o.primary_domain as "domain"
    from organizations o left join organization_domains d on d.instance_id = o.instance_id
      and d.organization_id = o.organization_id and d.is_primary = 1
    where coalesce(d.is_proven, 0) = 0 and o.state = 'active' order by 1, 2`);
