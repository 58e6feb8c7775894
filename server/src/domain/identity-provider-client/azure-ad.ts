import type { Secret } from "../../base/secret.ts";
import type { ExternalIdentity } from "./external-identity.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

export interface AzureAdProvider {
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** Id or domain of a tenant; `common`, `organizations` and `consumers` are many. */
  readonly tenant: string;
  /** The administrator says that addresses of this tenant are proven: Azure does not. */
  readonly isEmailVerified: boolean;
}

const origin = "https://login.microsoftonline.com";
// A tenant is a GUID, or a verified domain of one.
const tenantId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Azure AD (Entra ID). Addresses can be set to anything by the administrator of any tenant (nOAuth), so `email_verified` counts only for one
 * tenant whose administrator was trusted with it. `sub` is the person's id at this application.
 */
export function createAzureAdClient(deps: ProviderClientDeps, provider: AzureAdProvider): CodeFlowClient {
  const { clientId, clientSecret, scopes, tenant, isEmailVerified } = provider;
  const isTrusted = isEmailVerified && isOneTenant(tenant);
  return createOidcClient(deps, {
    ...{ clientId, clientSecret, scopes, usesIdTokenOnly: false },
    issuer: `${origin}/${tenant}/v2.0`,
    isIssuer: isIssuerOf,
    issuerOf: (named, claims) => issuerOfTenant(tenant, named, claims),
    adjust: (identity) => trustEmail(identity, isTrusted),
  });
}

// What discovery may name: a tenant, or the place of one. Which tenant a token is of is told by the token.
const isIssuerOf = (named: string): boolean =>
  named.startsWith(`${origin}/`) &&
  named.endsWith("/v2.0") &&
  isTenant(named.slice(origin.length + 1, -"/v2.0".length));

const isTenant = (place: string): boolean => place === "{tenantid}" || tenantId.test(place);

/** The issuer that a token must name: that of the tenant which it says it is of, and of no tenant that was not meant. */
function issuerOfTenant(tenant: string, named: string, { tid }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof tid !== "string" || !tenantId.test(tid)) throw new ProviderRefused("token_refused", "tenant");
  // The domain of a tenant is turned into its id by discovery, which the issuer is compared with.
  const isMeant = !tenantId.test(tenant.toLowerCase()) || tenant.toLowerCase() === tid;
  if (!isMeant) throw new ProviderRefused("token_refused", "tenant");
  return named.replace("{tenantid}", tid);
}

const isOneTenant = (tenant: string): boolean =>
  !["common", "organizations", "consumers"].includes(tenant.toLowerCase());

/** Whether an address counts as proven is said by the administrator alone. */
const trustEmail = (identity: ExternalIdentity, isTrusted: boolean): ExternalIdentity => ({
  ...identity,
  isEmailVerified: isTrusted && identity.email !== undefined,
});
