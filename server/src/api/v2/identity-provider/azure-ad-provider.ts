import { type AzureADTenant, AzureADTenantType, ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

interface AzureAdRequest {
  readonly clientId: string;
  readonly tenant?: Pick<AzureADTenant, "type"> | undefined;
  readonly emailVerified: boolean;
  readonly scopes: readonly string[];
}

export const azureAdWords: ProviderWords<ConfigurationOf<"azure_ad">, AzureAdRequest> = {
  kind: "azure_ad",
  type: ProviderType.AZURE_AD,
  fromRequest: ({ clientId, tenant, emailVerified, scopes }) => ({
    kind: "azure_ad",
    clientId,
    scopes,
    tenant: fromTenant(tenant),
    isEmailVerified: emailVerified,
  }),
  toMessage: ({ clientId, tenant, isEmailVerified, scopes }) => ({
    case: "azureAd",
    value: { clientId, tenant: toTenant(tenant), emailVerified: isEmailVerified, scopes: [...scopes] },
  }),
};

// The names in the path of the endpoints.
const tenants: Readonly<Record<string, AzureADTenantType>> = {
  common: AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON,
  organizations: AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS,
  consumers: AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS,
};

// Without a tenant, accounts of all tenants are accepted, as the zero of the enumeration says. An unknown number yields
// an empty, invalid tenant.
function fromTenant(tenant: AzureAdRequest["tenant"]): string {
  if (tenant?.type.case === "tenantId") return tenant.type.value;
  const type = tenant?.type.value ?? AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON;
  return Object.keys(tenants).find((name) => tenants[name] === type) ?? "";
}

function toTenant(tenant: string) {
  const type = tenants[tenant];
  return type === undefined
    ? { type: { case: "tenantId", value: tenant } as const }
    : { type: { case: "tenantType", value: type } as const };
}
