import type { Secret } from "../../base/secret.ts";
import type { ExternalIdentity } from "./external-identity.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

export interface AzureAdProvider {
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** Id or domain of a tenant; `common`, `organizations` and `consumers` stand for many. */
  readonly tenant: string;
  /** Whether the administrator declared the addresses of this tenant verified: Azure does not. */
  readonly isEmailVerified: boolean;
}

const origin = "https://login.microsoftonline.com";
// A tenant is a GUID, or a verified domain of one.
const tenantId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Azure AD (Entra ID). The administrator of any tenant can set addresses to anything (nOAuth), so `email_verified`
 * counts only for one particular tenant that was declared trustworthy. `sub` is the user's id for this application.
 */
export function createAzureAdClient(deps: ProviderClientDeps, provider: AzureAdProvider): CodeFlowClient {
  const { clientId, clientSecret, scopes, tenant, isEmailVerified } = provider;
  const isTrusted = isEmailVerified && isOneTenant(tenant);
  return createOidcClient(deps, {
    clientId,
    clientSecret,
    scopes,
    usesIdTokenOnly: false,
    issuer: `${origin}/${tenant}/v2.0`,
    isIssuer: isIssuerOf,
    issuerOf: (named, claims) => issuerOfTenant(tenant, named, claims),
    adjust: (identity) => trustEmail(identity, isTrusted),
  });
}

// What discovery may name: a tenant, or the placeholder for one. The token itself states its tenant.
const isIssuerOf = (named: string): boolean =>
  named.startsWith(`${origin}/`) &&
  named.endsWith("/v2.0") &&
  isTenant(named.slice(origin.length + 1, -"/v2.0".length));

const isTenant = (segment: string): boolean => segment === "{tenantid}" || tenantId.test(segment);

/**
 * Returns the issuer that a token must name: that of the tenant in its `tid`. Rejects tenants other than the configured
 * one.
 */
function issuerOfTenant(tenant: string, named: string, { tid }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof tid !== "string" || !tenantId.test(tid)) throw new ProviderRefused("token_refused", "tenant");
  // Discovery resolves the domain of a tenant to its id, with which the issuer is compared.
  const isMeant = !tenantId.test(tenant.toLowerCase()) || tenant.toLowerCase() === tid;
  if (!isMeant) throw new ProviderRefused("token_refused", "tenant");
  return named.replace("{tenantid}", tid);
}

const isOneTenant = (tenant: string): boolean =>
  !["common", "organizations", "consumers"].includes(tenant.toLowerCase());

/** Only the administrator's declaration decides whether an address counts as verified. */
const trustEmail = (identity: ExternalIdentity, isTrusted: boolean): ExternalIdentity => ({
  ...identity,
  isEmailVerified: isTrusted && identity.email !== undefined,
});
