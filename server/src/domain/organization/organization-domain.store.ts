import { parseDomain } from "../../base/names/host.ts";
import {
  countUpTo,
  list,
  type Reader,
  readList,
  type Sql,
  sql,
  type Tx,
  text,
  textFilter,
} from "../../database/index.ts";
import type { OrganizationDomain, ValidationType } from "./organization-domain.ts";
import type { OrganizationDomainSearch } from "./organization-search.ts";

const columns =
  text(`organization_id as "organizationId", domain, is_verified as "isVerified", is_proven as "isProven", is_primary as "isPrimary",
  validation_type as "validationType", validation_token as "validationToken", created_at as "createdAt",
  changed_at as "changedAt"`);

interface Row extends Omit<OrganizationDomain, "isVerified" | "isProven" | "isPrimary"> {
  readonly isVerified: number;
  readonly isProven: number;
  readonly isPrimary: number;
}

/** Finds a domain of an organization, verified or not. */
export async function findOrganizationDomain(
  reader: Reader,
  instanceId: string,
  organizationId: string,
  domain: string,
): Promise<OrganizationDomain | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from organization_domains
    where instance_id = ${instanceId} and organization_id = ${organizationId} and domain = ${domain}`);
  return row && toDomain(row);
}

const orders = {
  domain: text("domain"),
  created_at: text("created_at"),
} as const satisfies Record<OrganizationDomainSearch["orderBy"], Sql>;

export async function listOrganizationDomainRows(
  reader: Reader,
  instanceId: string,
  search: OrganizationDomainSearch,
): Promise<{ domains: OrganizationDomain[]; total: number }> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("organization_domains"),
    where: [
      sql`instance_id = ${instanceId} and organization_id = ${search.organizationId}`,
      ...search.filters.map(({ method, domain }) => textFilter(text("domain"), method, domain)),
    ],
    orderBy: orders[search.orderBy],
    id: text("domain"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { domains: rows.map(toDomain), total };
}

/**
 * Returns the id of the organization that owns a proven domain, in whichever spelling. A domain that was only claimed
 * has no owner.
 */
export async function findOwnerOfDomain(
  reader: Reader,
  instanceId: string,
  domain: string,
): Promise<string | undefined> {
  const row = await reader.maybe<{ organizationId: string }>(sql`select organization_id as "organizationId"
    from organization_domains where instance_id = ${instanceId} and domain = ${parseDomain(domain)} and is_proven = 1`);
  return row?.organizationId;
}

/** Returns the owners of those of the domains that organizations own, by the domain as it was given. */
export async function findOwnersOfDomains(
  reader: Reader,
  instanceId: string,
  domains: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const parsed = new Map(domains.map((domain) => [domain, parseDomain(domain)]));
  const wanted = [...new Set(parsed.values())].filter((domain) => domain !== undefined);
  if (wanted.length === 0) return new Map();
  const rows = await listOwnersOfDomains(reader, instanceId, wanted);
  const owners = new Map(rows.map(({ domain, organizationId }) => [domain, organizationId]));
  return new Map(
    [...parsed].flatMap(([given, domain]) => {
      const owner = domain === undefined ? undefined : owners.get(domain);
      return owner === undefined ? [] : [[given, owner]];
    }),
  );
}

/** Lists those of the domains that organizations own, with their owners. They are in their canonical form. */
export const listOwnersOfDomains = (
  reader: Reader,
  instanceId: string,
  domains: readonly string[],
): Promise<{ readonly domain: string; readonly organizationId: string }[]> =>
  reader.all(sql`select domain, organization_id as "organizationId" from organization_domains
    where instance_id = ${instanceId} and domain in ${list(domains)} and is_proven = 1`);

/**
 * Inserts the domain; false when the organization has it already, or when it would be proven and another organization
 * owns it.
 */
export async function insertOrganizationDomain(
  tx: Tx,
  domain: Pick<OrganizationDomain, "organizationId" | "domain" | "isVerified" | "isProven" | "isPrimary">,
): Promise<boolean> {
  const count =
    await tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
      is_primary, validation_type, created_at, changed_at)
    values (${tx.instanceId}, ${domain.organizationId}, ${domain.domain}, ${domain.isVerified}, ${domain.isProven},
      ${domain.isPrimary}, 'none', ${tx.now}, ${tx.now})
    on conflict do nothing`);
  return count > 0;
}

/** Counts the domains of an organization, up to one more than a number. */
export const countOrganizationDomains = (tx: Tx, organizationId: string, most: number): Promise<number> =>
  countUpTo(
    tx,
    {
      from: text("organization_domains"),
      instance: sql`instance_id = ${tx.instanceId} and organization_id = ${organizationId}`,
    },
    most,
  );

/** Removes a domain unless it is primary. Returns whether it did. */
export async function deleteOrganizationDomain(tx: Tx, organizationId: string, domain: string): Promise<boolean> {
  const count = await tx.run(sql`delete from organization_domains
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and domain = ${domain} and is_primary = 0`);
  return count > 0;
}

/** Stores a requested proof of ownership, unless the domain is proven. */
export async function updateDomainValidation(
  tx: Tx,
  domain: { organizationId: string; domain: string },
  validation: { type: Exclude<ValidationType, "none">; token: string },
): Promise<boolean> {
  const count = await tx.run(sql`update organization_domains
    set validation_type = ${validation.type}, validation_token = ${validation.token}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${domain.organizationId} and domain = ${domain.domain}
      and is_proven = 0`);
  return count > 0;
}

/** Marks a domain as proven, if the proof that was found is still the requested one. */
export async function updateDomainVerified(
  tx: Tx,
  domain: { organizationId: string; domain: string },
  token: string,
): Promise<boolean> {
  const count = await tx.run(sql`update organization_domains
    set is_verified = 1, is_proven = 1, validation_type = 'none', validation_token = null, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${domain.organizationId} and domain = ${domain.domain}
      and is_proven = 0 and validation_token = ${token}`);
  return count > 0;
}

/**
 * Takes a domain that was proven by one organization from all others that had only claimed it. It stays on their lists
 * unverified. Returns the organizations that have it as their primary domain.
 */
export async function takeDomainFromClaimants(
  tx: Tx,
  { organizationId, domain }: { readonly organizationId: string; readonly domain: string },
): Promise<string[]> {
  const rows = await tx.all<{ organizationId: string; isPrimary: number }>(sql`update organization_domains
    set is_verified = 0, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and domain = ${domain} and is_proven = 0 and is_verified = 1
      and organization_id <> ${organizationId}
    returning organization_id as "organizationId", is_primary as "isPrimary"`);
  return rows.filter(({ isPrimary }) => isPrimary === 1).map((row) => row.organizationId);
}

/** Returns the oldest proven domain of an organization. */
export async function findProvenDomain(tx: Tx, organizationId: string): Promise<string | undefined> {
  const row = await tx.maybe<{ domain: string }>(sql`select domain from organization_domains
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and is_proven = 1
    order by created_at, domain limit 1`);
  return row?.domain;
}

/** Makes a proven domain the only primary one. */
export async function updatePrimaryDomain(tx: Tx, organizationId: string, domain: string): Promise<void> {
  await tx.run(sql`update organization_domains
    set is_primary = case when domain = ${domain} then 1 else 0 end, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and (is_primary = 1 or domain = ${domain})`);
}

function toDomain({ isVerified, isProven, isPrimary, ...rest }: Row): OrganizationDomain {
  return { ...rest, isVerified: isVerified === 1, isProven: isProven === 1, isPrimary: isPrimary === 1 };
}
