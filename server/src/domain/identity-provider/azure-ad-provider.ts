import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** Microsoft Entra ID (Azure AD). */
export interface AzureAdConfiguration {
  readonly kind: "azure_ad";
  readonly clientId: string;
  /**
   * `common`, `organizations` and `consumers` stand for all, organizational and personal accounts; anything else is the
   * id of one tenant.
   */
  readonly tenant: string;
  /** Whether addresses from the tenant count as verified, although the provider does not say so. */
  readonly isEmailVerified: boolean;
  readonly scopes: readonly string[];
}

// The name becomes part of the path of the endpoints.
const tenantName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

export const azureAdRules: KindRules<AzureAdConfiguration> = {
  fields: {
    clientId: "speaker",
    tenant: "speaker",
    isEmailVerified: "manner",
    scopes: "manner",
  },
  protocol: "openid",
  speaksAs: ({ clientId, tenant }) => ({
    issuer: `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`,
    clientId,
  }),
  addresses: () => ({}),
  unfit: ({ tenant }) => (tenantName.test(tenant) ? [] : ["tenant"]),
  secretDestination: () => "azure",
  defaultScopes: [...openIdScopes, "User.Read"],
};
