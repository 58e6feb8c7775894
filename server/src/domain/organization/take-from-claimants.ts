import type { Tx } from "../../database/index.ts";
import { listReachingHosts } from "../instance/index.ts";
import type { DomainClaim } from "./domain-claim.store.ts";
import { holdOrganizationToDelete, updateOrganizationPrimaryDomain } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";
import {
  findProvenDomain,
  insertOrganizationDomain,
  takeDomainFromClaimants,
  updatePrimaryDomain,
} from "./organization-domain.store.ts";

/**
 * Step: takes a domain that an organization owns from all that had only claimed it. Where it was the primary domain, as
 * earlier versions allowed, another one becomes primary. Login names that were formed with it have to be formed again.
 */
export async function takeFromClaimants(tx: Tx, claim: DomainClaim): Promise<void> {
  for (const organizationId of await takeDomainFromClaimants(tx, claim)) {
    // Held, so that it keeps the domain that is found.
    await holdOrganizationToDelete(tx, organizationId);
    const domain = (await findProvenDomain(tx, organizationId)) ?? (await addDomainOfHost(tx, organizationId));
    const changed = await updateOrganizationPrimaryDomain(tx, organizationId, domain);
    if (changed === undefined) continue;
    await updatePrimaryDomain(tx, organizationId, domain);
    tx.record({
      type: "organization.domain.primary_set",
      ...organizationAggregate(organizationId),
      sequence: changed.details.sequence,
      payload: { domain },
    });
  }
}

// Identifiers are unique, and no organization can claim a domain below a host of the instance.
async function addDomainOfHost(tx: Tx, organizationId: string): Promise<string> {
  const [host = "localhost"] = await listReachingHosts(tx, tx.instanceId);
  const domain = `${organizationId.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${host}`;
  const standing = { isVerified: true, isProven: true, isPrimary: false };
  await insertOrganizationDomain(tx, { organizationId, domain, ...standing });
  return domain;
}
