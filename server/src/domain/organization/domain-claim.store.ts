import { parseDomain } from "../../base/names/host.ts";
import { type Reader, rowLock, sql, type Tx, takeTurn, takeTurns } from "../../database/index.ts";

/** A domain and the organization that owns it. */
export interface DomainClaim {
  readonly organizationId: string;
  readonly domain: string;
}

/** How far the users were handled whose names an organization took by proving a domain, and when the last of them. */
export interface ClaimProgress {
  readonly at: number;
  /** The id of that user; empty before the first. */
  readonly after: string;
  /** When the first were handled: who got the name later had no other meaning of it to lose. */
  readonly until?: number;
}

// No domain is empty.
const everyDomain = "";

interface Row {
  readonly unfinishedClaim: string;
}

/**
 * Step: waits for units that form names in a domain, and makes others wait, until the unit of work ends. Those
 * see the owner of the domain.
 */
export function takeDomainAlone(tx: Tx, domain: string): void {
  takeDomainsAlone(tx);
  takeTurn(tx, "alone", "domain", domain);
}

/** Step: waits for units that form all names of an organization, and makes others wait, until the unit ends. */
export function takeDomainsAlone(tx: Tx): void {
  takeTurn(tx, "alone", "names of organizations", "");
}

/**
 * Step: for a unit that forms a name, in this domain if there is one. Waits for a claim of the domain and for a change
 * of the instance's rule for names that are under way, and makes further ones wait until the unit ends.
 */
export function shareNaming(tx: Tx, domain: string | undefined): void {
  shareNamingIn(tx, domain === undefined ? [] : [domain]);
}

/** Step: the same for names in several domains. */
export function shareNamingIn(tx: Tx, domains: readonly string[]): void {
  const inOrder = [...new Set(domains.map((domain) => parseDomain(domain) ?? domain))].sort();
  takeTurns(tx, "share", "domain", [...inOrder, everyDomain]);
}

/**
 * Step: waits for units that form a name anywhere, and makes others wait, until the unit ends. Those see the new rule.
 * One turn, in place of one at each organization: the server has a limited number for all units together.
 */
export function takeNamingAlone(tx: Tx): void {
  takeTurn(tx, "alone", "domain", everyDomain);
}

/** Step: the same for all domains, for units that form all names of an organization. */
export function shareDomains(tx: Tx): void {
  takeTurn(tx, "share", "names of organizations", "");
}

/** Marks a claim as unfinished. The mark goes with the domain. */
export async function putUnfinishedClaim(tx: Tx, claim: DomainClaim, progress: ClaimProgress): Promise<void> {
  await write(tx, claim, JSON.stringify(progress));
}

/** Removes the mark: all users were handled. */
export const deleteUnfinishedClaim = (tx: Tx, claim: DomainClaim): Promise<void> => write(tx, claim, null);

async function write(tx: Tx, { organizationId, domain }: DomainClaim, mark: string | null): Promise<void> {
  await tx.run(sql`update organization_domains set unfinished_claim = ${mark}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and domain = ${domain}`);
}

/**
 * Returns how far an unfinished claim is, and undefined where it is finished or the organization lost the domain. The
 * row stays locked: the domain is not removed before the unit of work ends, and of two that finish it one waits.
 */
export async function holdUnfinishedClaim(
  tx: Tx,
  { organizationId, domain }: DomainClaim,
): Promise<ClaimProgress | undefined> {
  const row = await tx.maybe<Row>(sql`select unfinished_claim as "unfinishedClaim" from organization_domains
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and domain = ${domain}
      and is_proven = 1 and unfinished_claim is not null ${rowLock(tx, "alone")}`);
  return row && (JSON.parse(row.unfinishedClaim) as ClaimProgress);
}

/** Lists unfinished claims of all instances, in random order: those that fail keep no others. */
export async function listUnfinishedClaims(
  reader: Reader,
): Promise<(DomainClaim & ClaimProgress & { readonly instanceId: string })[]> {
  const rows = await reader.all<DomainClaim & Row & { readonly instanceId: string }>(
    sql`select instance_id as "instanceId", organization_id as "organizationId", domain,
        unfinished_claim as "unfinishedClaim" from organization_domains
      where unfinished_claim is not null order by random() limit 100`,
  );
  return rows.map(({ unfinishedClaim, ...claim }) => ({ ...claim, ...(JSON.parse(unfinishedClaim) as ClaimProgress) }));
}
