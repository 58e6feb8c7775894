import { Fault } from "../../base/fault.ts";
import { type IdGenerator, isChosenId } from "../../base/id.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { firstSequence, type Tx } from "../../database/index.ts";
import { claimIdentifier, listReachingHosts } from "../instance/index.ts";
import { findOrganization, insertOrganization } from "./organization.store.ts";
import { type Organization, organizationAggregate, parseOrganizationName } from "./organization.ts";
import { findOwnerOfDomain, insertOrganizationDomain } from "./organization-domain.store.ts";

export interface NewOrganization {
  readonly name: string;
  /** Chosen by the caller, or generated. */
  readonly organizationId?: string;
  /** Host of the instance, below which the primary domain is created: `<name>.<host>`. */
  readonly instanceHost: string;
}

/** Step: creates an organization with its primary domain. Rejects a name or an id that is taken. */
export async function createOrganization(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: NewOrganization,
): Promise<Organization> {
  const name = parseOrganizationName(input.name);
  const organizationId = input.organizationId ?? deps.newId();
  if (!isChosenId(organizationId)) {
    throw new Fault("invalid_argument", "organization.id_invalid", { field: "organizationId" });
  }
  const primaryDomain = await choosePrimaryDomain(tx, { name, organizationId, instanceHost: input.instanceHost });
  const organization = await insertOrganization(tx, {
    organizationId,
    name,
    nameKey: canonicalName(name),
    primaryDomain,
    sequence: await firstSequence(tx, "organization", input.organizationId),
  });
  if (organization === undefined) {
    const isIdTaken = (await findOrganization(tx, tx.instanceId, organizationId)) !== undefined;
    throw isIdTaken
      ? new Fault("already_exists", "organization.id_taken", { field: "organizationId" })
      : new Fault("already_exists", "organization.name_taken", { field: "name" });
  }
  await claimIdentifier(tx, "organization", { identifier: organizationId, field: "organizationId" });
  const isDomainFree = await insertOrganizationDomain(tx, {
    organizationId,
    domain: primaryDomain,
    isVerified: true,
    isProven: true,
    isPrimary: true,
  });
  // It was taken concurrently.
  if (!isDomainFree) throw new Fault("aborted", "organization.domain_taken", { field: "name" });
  tx.record({
    type: "organization.created",
    ...organizationAggregate(organizationId),
    sequence: organization.details.sequence,
    payload: { name: organization.name, primaryDomain },
  });
  return organization;
}

// Different names may yield the same label (`Foo!`, `foo`), an administrator of the instance may have given a domain
// below the host to another organization, or it reaches the instance itself: then the id makes it unique.
async function choosePrimaryDomain(
  tx: Tx,
  organization: { name: string; organizationId: string; instanceHost: string },
): Promise<string> {
  const { organizationId } = organization;
  // An IPv6 address in brackets cannot be the end of a domain.
  const instanceHost = organization.instanceHost.startsWith("[") ? "localhost" : organization.instanceHost;
  const label = toLabel(organization.name);
  const suffix = toLabel(organizationId);
  const wanted = `${label || suffix}.${instanceHost}`;
  const isFree =
    (await findOwnerOfDomain(tx, tx.instanceId, wanted)) === undefined &&
    !(await listReachingHosts(tx, tx.instanceId)).includes(wanted);
  return isFree ? wanted : `${toLabel(`${label.slice(0, 40)}-${suffix}`)}.${instanceHost}`;
}

// RFC 1035 §2.3.1: letters, digits and hyphens, at most 63 octets.
function toLabel(name: string): string {
  return canonicalName(name)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/^-+|-+$/g, "");
}
