import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { authorizeOrganization } from "./authorize-organization.ts";
import { findOrganizationDomain, insertOrganizationDomain } from "./organization-domain.store.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

export interface AddDomainDeps {
  readonly database: Database;
  /** Whether the settings of the instance require proof of ownership before a domain counts. */
  readonly requiresDomainProof: (call: Call) => Promise<boolean>;
  readonly claimDomain?: ClaimDomain;
}

/** Step of a later module (`user`): handles users of other organizations when a domain gets an owner. */
export type ClaimDomain = (
  tx: Tx,
  claim: { readonly organizationId: string; readonly domain: string },
) => Promise<void>;

/**
 * Adds a domain: unverified if the instance requires proof, otherwise verified at once unless another organization owns
 * it.
 */
export async function addOrganizationDomain(
  deps: AddDomainDeps,
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<{ readonly createdAt: number }> {
  const domain = parseDomain(input.domain);
  if (domain === undefined) throw new Fault("invalid_argument", "organization.domain_invalid", { field: "domain" });
  const isVerified = !(await deps.requiresDomainProof(call));
  return deps.database.change(call, async (tx) => {
    const { organizationId } = await authorizeOrganization(tx, call, input.organizationId, "org.write");
    await applyOrganizationDomain(tx, deps, { organizationId, domain, isVerified });
    return { createdAt: tx.now };
  });
}

/** Step: adds a domain to an organization that the caller may change. */
export async function applyOrganizationDomain(
  tx: Tx,
  deps: { readonly claimDomain?: ClaimDomain },
  { organizationId, domain, isVerified }: { organizationId: string; domain: string; isVerified: boolean },
): Promise<void> {
  const isNew = await insertOrganizationDomain(tx, { organizationId, domain, isVerified, isPrimary: false });
  if (!isNew) {
    const isOwn = (await findOrganizationDomain(tx, tx.instanceId, organizationId, domain)) !== undefined;
    const slug = isOwn ? "organization.domain_exists" : "organization.domain_taken";
    throw new Fault("already_exists", slug, { field: "domain" });
  }
  await recordOrganizationEvent(tx, organizationId, {
    type: "organization.domain.added",
    payload: { domain, isVerified },
  });
  if (isVerified) await deps.claimDomain?.(tx, { organizationId, domain });
}
