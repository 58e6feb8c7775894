import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { shareDomains } from "./domain-claim.store.ts";
import { isBeingNamed, nextOrganizationSequence, updateOrganizationPrimaryDomain } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";
import { findOrganizationDomain, updatePrimaryDomain } from "./organization-domain.store.ts";

export interface SetPrimaryDomainDeps {
  readonly database: Database;
  /** Step of the user module: changes the login names of an organization's users to another domain. */
  readonly renameLoginNames: (tx: Tx, input: { organizationId: string; primaryDomain: string }) => Promise<void>;
}

/**
 * Makes a proven domain the primary one. The login names of all users of the organization change in the same
 * transaction, which takes its turn, as it reads all of them. Where a request that formed them for another domain did
 * not end, they are formed again also for the domain that is primary already.
 */
export function setPrimaryDomain(
  deps: SetPrimaryDomainDeps,
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<Details> {
  const name = parseDomain(input.domain) ?? "";
  return deps.database.changeAtLength(call, async (tx) => {
    shareDomains(tx);
    const organization = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    const { organizationId } = organization;
    const domain = await findOrganizationDomain(tx, tx.instanceId, organizationId, name);
    if (domain === undefined) throw new Fault("not_found", "organization.domain_not_found", { field: "domain" });
    // Login names are formed of it, and they are unique in the instance.
    if (!domain.isProven) throw new Fault("failed_precondition", "organization.domain_unverified", { field: "domain" });
    const changed =
      (await updateOrganizationPrimaryDomain(tx, organizationId, name)) ??
      ((await isBeingNamed(tx, organizationId)) ? await nextOrganizationSequence(tx, organizationId) : undefined);
    if (changed === undefined) return organization.details;
    await updatePrimaryDomain(tx, organizationId, name);
    await deps.renameLoginNames(tx, { organizationId, primaryDomain: name });
    tx.record({
      type: "organization.domain.primary_set",
      ...organizationAggregate(organizationId),
      sequence: changed.details.sequence,
      payload: { domain: name },
    });
    return changed.details;
  });
}
