import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { listReachingHosts } from "../instance/index.ts";
import { isAtForeignDomain } from "../organization/index.ts";
import { holdOrigin, insertClaim, isClaimedByOthers } from "./resource-claim.store.ts";
import { claimsAround, parseResourceUri, type ResourceUri } from "./resource-uri.ts";

/**
 * Step: claims a URI for an organization, forever: APIs that trust a URI in `aud` continue to do so after the resource
 * is deleted. Refuses anything that is not a resource URI, is ours, or is at a domain that another organization has
 * proven. It also refuses what another organization claimed, and what is inside of it or around it, because some
 * readers of tokens compare only how a URI begins.
 */
export async function claimUri(
  tx: Tx,
  input: { readonly uri: string; readonly organizationId: string; readonly issuer: string },
): Promise<ResourceUri> {
  const issuer = new URL(input.issuer);
  const uri = parseResourceUri(input.uri);
  // On one's own machine an address belongs to no organization: for development alone.
  if (uri === undefined || (uri.isLocal && issuer.protocol !== "http:")) {
    throw new Fault("invalid_argument", "resource.uri_invalid", { field: "uri" });
  }
  const { organizationId } = input;
  const isOfOthers = await isAtForeignDomain(tx, tx.instanceId, { hosts: [uri.hostname], organizationId });
  if (isOfOthers || (await isOurs(tx, uri, issuer))) {
    throw new Fault("invalid_argument", "resource.uri_reserved", { field: "uri" });
  }
  await holdOrigin(tx, uri.origin);
  const claim = { ...uri, organizationId, around: claimsAround(uri) };
  if (await isClaimedByOthers(tx, claim)) {
    throw new Fault("already_exists", "resource.uri_taken", { field: "uri" });
  }
  await insertClaim(tx, claim);
  return uri;
}

/** Whether this server answers there, at any port; on this machine only at its own. */
async function isOurs(tx: Tx, { hostname, origin, isLocal }: ResourceUri, issuer: URL): Promise<boolean> {
  if (isLocal) return new URL(origin).port === issuer.port;
  return hostname === issuer.hostname || (await listReachingHosts(tx, tx.instanceId)).includes(hostname);
}
