import { type Sql, sql } from "../../database/index.ts";

/**
 * The condition that no organization but the given one owns the domain of a name, in the form in which names are
 * compared. While the claim of a domain is unfinished, users of others still have login names in it, which mean them no
 * longer.
 */
export function isInNoForeignDomain(instanceId: string, name: string, organizationId: Sql): Sql {
  const at = name.lastIndexOf("@");
  if (at < 0) return sql`1 = 1`;
  return sql`not exists (select 1 from organization_domains foreign_domain
    where foreign_domain.instance_id = ${instanceId} and foreign_domain.domain = ${name.slice(at + 1)}
      and foreign_domain.is_proven = 1 and foreign_domain.organization_id <> ${organizationId})`;
}
