import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { listReachingHosts } from "../instance/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { takeDomainAlone } from "./domain-claim.store.ts";
import type { DomainClaims } from "./domain-claims.ts";
import {
  countOrganizationDomains,
  findOrganizationDomain,
  findOwnerOfDomain,
  insertOrganizationDomain,
} from "./organization-domain.store.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

export interface AddDomainDeps {
  readonly database: Database;
  /** Whether the settings of the instance require proof of ownership before a domain counts. */
  readonly requiresDomainProof: (call: Call) => Promise<boolean>;
  readonly domainClaims?: DomainClaims;
}

/** How many domains an organization may have. Those of an organization that has more stay. */
const mostDomains = 1000;

/** What follows from the claim of an organization that it owns a domain. */
interface Standing {
  readonly isVerified: boolean;
  readonly isProven: boolean;
}

/**
 * Returns how a domain begins: unverified if the instance requires proof, otherwise verified. Without a proof, only an
 * administrator of the instance can give it effect outside of its organization.
 */
export async function judgeNewDomain(
  deps: Pick<AddDomainDeps, "requiresDomainProof">,
  call: Call,
): Promise<Standing & { readonly isOfInstance: boolean }> {
  const isVerified = !(await deps.requiresDomainProof(call));
  const isOfInstance = requireCaller(call).access.allows("org.write", {});
  return { isVerified, isProven: isVerified && isOfInstance, isOfInstance };
}

/**
 * Adds a domain: unverified if the instance requires proof, otherwise verified at once unless another organization owns
 * it. Several organizations may claim a domain; the one that proves it owns it.
 */
export async function addOrganizationDomain(
  deps: AddDomainDeps,
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<{ readonly createdAt: number }> {
  const domain = parseDomain(input.domain);
  if (domain === undefined) throw new Fault("invalid_argument", "organization.domain_invalid", { field: "domain" });
  const standing = await judgeNewDomain(deps, call);
  const { organizationId } = input;
  const add = async (tx: Tx) => {
    // Before the organization, which those who form names hold afterwards.
    if (standing.isProven) takeDomainAlone(tx, domain);
    await holdAuthorizedOrganization(tx, organizationId, "org.write");
    await applyOrganizationDomain(tx, deps, { organizationId, domain, standing });
    return { createdAt: tx.now };
  };
  // A proven domain takes names from others.
  const added = await (standing.isProven ? deps.database.changeAtLength(call, add) : deps.database.change(call, add));
  if (standing.isProven) await deps.domainClaims?.finish(call, { organizationId, domain });
  return added;
}

/**
 * Step: adds a domain to an organization that the caller may change, and which is held or new. After the commit, the
 * claim of a proven one is finished (`DomainClaims`).
 */
export async function applyOrganizationDomain(
  tx: Tx,
  deps: Pick<AddDomainDeps, "domainClaims">,
  input: {
    readonly organizationId: string;
    readonly domain: string;
    readonly standing: Standing & { readonly isOfInstance: boolean };
  },
): Promise<void> {
  const { organizationId, domain, standing } = input;
  const { isVerified, isProven } = standing;
  if ((await countOrganizationDomains(tx, organizationId, mostDomains - 1)) >= mostDomains) {
    throw new Fault("resource_exhausted", "organization.domain_too_many", { values: { maximum: mostDomains } });
  }
  const owner = isVerified ? await findOwnerOfDomain(tx, tx.instanceId, domain) : undefined;
  const isFree = owner === undefined || owner === organizationId;
  const isNew =
    isFree && (await insertOrganizationDomain(tx, { organizationId, domain, isVerified, isProven, isPrimary: false }));
  if (!isNew) {
    const isOwn = (await findOrganizationDomain(tx, tx.instanceId, organizationId, domain)) !== undefined;
    const slug = isOwn ? "organization.domain_exists" : "organization.domain_taken";
    throw new Fault("already_exists", slug, { field: "domain" });
  }
  if (!standing.isOfInstance) await refuseHostsOfInstance(tx, domain);
  await recordOrganizationEvent(tx, organizationId, {
    type: "organization.domain.added",
    payload: { domain, isVerified },
  });
  if (isProven) await deps.domainClaims?.begin(tx, { organizationId, domain });
}

// The domains below the hosts of the instance are those that the server forms from the names of organizations, and
// an operator of one of its hosts could publish a proof for it.
async function refuseHostsOfInstance(tx: Tx, domain: string): Promise<void> {
  const hosts = await listReachingHosts(tx, tx.instanceId);
  if (hosts.some((host) => domain === host || domain.endsWith(`.${host}`))) {
    throw new Fault("invalid_argument", "organization.domain_reserved", { field: "domain" });
  }
}
