import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { shareDomains } from "./domain-claim.store.ts";
import { findNaming } from "./organization.store.ts";
import { deleteOrganizationDomain } from "./organization-domain.store.ts";
import { recordOrganizationEvent } from "./record-organization.ts";
import type { RefuseLockout } from "./refuse-lockout.ts";
import { orLeaveNames } from "./set-primary-domain.ts";

export interface RemoveDomainDeps {
  readonly database: Database;
  readonly refuseLockout: RefuseLockout;
  /** Step of a later module: forms the login names of an organization's users with its primary domain. */
  readonly renameLoginNames: (tx: Tx, input: { organizationId: string; primaryDomain: string }) => Promise<void>;
}

/**
 * Removes a domain of an organization, except the primary one. Removing an absent domain succeeds and returns
 * no time. Refused while login names are being formed in batches: some may already have the domain, and would keep
 * it when another organization proves it. Where a request that formed them failed, they are formed again for the
 * primary domain first. Refused as well when it takes the last method of signing in from
 * administrators at home there: a proven domain leads their names to the organization.
 */
export function removeOrganizationDomain(
  deps: RemoveDomainDeps,
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<{ readonly removedAt?: number }> {
  const domain = parseDomain(input.domain) ?? "";
  const forming = { organizationId: input.organizationId, isBegun: false };
  const change = deps.database.changeAtLength(call, async (tx) => {
    shareDomains(tx);
    const organization = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    if (organization.primaryDomain === domain) {
      throw new Fault("failed_precondition", "organization.domain_is_primary", { field: "domain" });
    }
    const naming = await findNaming(tx, organization);
    if (naming === "other") throw new Fault("aborted", "organization.domain_changed", { field: "domain" });
    forming.isBegun = naming !== undefined;
    if (forming.isBegun) await deps.renameLoginNames(tx, organization);
    const isRemoved = await deps.refuseLockout(
      tx,
      input.organizationId,
      () => deleteOrganizationDomain(tx, input.organizationId, domain),
      { slug: "organization.domain_needed_by_administrators", field: "domain" },
    );
    if (!isRemoved) return {};
    await recordOrganizationEvent(tx, input.organizationId, {
      type: "organization.domain.removed",
      payload: { domain },
    });
    return { removedAt: tx.now };
  });
  return orLeaveNames(deps, call, forming, change);
}
