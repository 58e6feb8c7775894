import type { Reader } from "../../database/index.ts";
import { listOwnersOfDomains } from "./organization-domain.store.ts";

/**
 * Whether any of the hosts, in their canonical form, is at a domain that another organization has proven: of the proven
 * domains around a host, the nearest decides.
 */
export async function isAtForeignDomain(
  reader: Reader,
  instanceId: string,
  { hosts, organizationId }: { readonly hosts: readonly string[]; readonly organizationId: string },
): Promise<boolean> {
  const around = hosts.map(domainsAround);
  const owners = await listOwnersOfDomains(reader, instanceId, [...new Set(around.flat())]);
  const ownerOf = new Map(owners.map((owner) => [owner.domain, owner.organizationId]));
  return around.some((domains) => {
    const nearest = domains.find((domain) => ownerOf.has(domain));
    return nearest !== undefined && ownerOf.get(nearest) !== organizationId;
  });
}

/** The host itself, and every domain that it is in, the nearest first. */
function domainsAround(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, first) => labels.slice(first).join("."));
}
