import { iam, scopeValues } from "../../authority/index.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { Organization } from "../../domain/organization/index.ts";

/**
 * Returns the claims of the reserved scopes: the user's organization and metadata. Every token with these scopes
 * contains them.
 */
export function reservedClaims(
  scope: ReadonlySet<string>,
  subject: { readonly organization: Organization | undefined; readonly metadata: ReadonlyMap<string, Uint8Array> },
): Record<string, unknown> {
  const { organization } = subject;
  const claims: Record<string, unknown> = {};
  const [organizationId] = scopeValues(scope, "org:id:");
  const [domain] = scopeValues(scope, "org:domain:primary:");
  if (organizationId !== undefined) claims[`${iam}:org:id`] = organizationId;
  // A refreshed token may be older than the organization's present domain.
  if (domain !== undefined && (parseDomain(domain) ?? domain) === organization?.primaryDomain) {
    claims[`${iam}:org:domain:primary`] = domain;
  }
  if (organization !== undefined && (scope.has(`${iam}:user:resourceowner`) || organizationId !== undefined)) {
    claims[`${iam}:user:resourceowner:id`] = organization.organizationId;
    claims[`${iam}:user:resourceowner:name`] = organization.name;
    claims[`${iam}:user:resourceowner:primary_domain`] = organization.primaryDomain;
  }
  if (scope.has(`${iam}:user:metadata`) && subject.metadata.size > 0) {
    claims[`${iam}:user:metadata`] = Object.fromEntries(
      [...subject.metadata].map(([key, value]) => [key, Buffer.from(value).toString("base64url")]),
    );
  }
  return claims;
}
