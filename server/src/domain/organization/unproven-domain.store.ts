import { type Reader, sql } from "../../database/index.ts";

/** The primary domain of an organization that has not proven it. */
export interface UnprovenDomain {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly domain: string;
}

/** Lists the primary domains without proof of the active organizations of all instances. */
export const listUnprovenPrimaryDomains = (reader: Reader): Promise<UnprovenDomain[]> =>
  reader.all<UnprovenDomain>(sql`select d.instance_id as "instanceId", d.organization_id as "organizationId",
      d.domain as "domain"
    from organization_domains d join organizations o
      on o.instance_id = d.instance_id and o.organization_id = d.organization_id
    where d.is_primary = 1 and d.is_proven = 0 and o.state = 'active' order by 1, 2`);
