import { createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { useOrganizationId } from "../../../shell/access.ts";
import type { ProviderKind } from "./kinds.ts";

/** What a new provider is made of. Each kind uses the fields that it has. */
interface NewProvider {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly metadataXml: string;
}

/** The identity providers of a level, and which of them its login offers. */
export interface ProviderAccess {
  readonly list: () => Promise<{ readonly providers: readonly Provider[]; readonly offered: ReadonlySet<string> }>;
  readonly add: (kind: ProviderKind, values: NewProvider) => Promise<{ readonly id: string }>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly offer: (provider: Pick<Provider, "id" | "owner">) => Promise<unknown>;
  readonly withdraw: (id: string) => Promise<unknown>;
  readonly permission: string;
}

/** Returns the providers of the instance, or of the organization that the console is about. */
export function useProviderAccess(): ProviderAccess {
  const transport = useTransport();
  return useOrganizationId() === undefined ? ofInstance(transport) : ofOrganization(transport);
}

const limit = 100;
const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true, isAutoUpdate: true };

/** The requests that add a provider have one form at both levels. */
function requestsOf({ name, issuer, clientId, clientSecret, metadataXml }: NewProvider) {
  const named = { name: name.trim(), clientId: clientId.trim(), clientSecret, providerOptions };
  const metadata = { case: "metadataXml", value: new TextEncoder().encode(metadataXml) } as const;
  return {
    named,
    oidc: { ...named, issuer: issuer.trim(), scopes: ["openid", "profile", "email"] },
    saml: { name: name.trim(), providerOptions, metadata },
  };
}

function ofInstance(transport: Transport): ProviderAccess {
  const client = createClient(AdminService, transport);
  return {
    permission: "iam.idp.write",
    list: async () => {
      const [{ result }, offered] = await Promise.all([
        client.listProviders({ query: { limit } }),
        client.listLoginPolicyIDPs({ query: { limit } }),
      ]);
      return { providers: result, offered: new Set(offered.result.map(({ idpId }) => idpId)) };
    },
    add: (kind, values) => {
      const { named, oidc, saml } = requestsOf(values);
      if (kind === "google") return client.addGoogleProvider(named);
      if (kind === "github") return client.addGitHubProvider(named);
      if (kind === "gitlab") return client.addGitLabProvider(named);
      if (kind === "microsoft") return client.addAzureADProvider(named);
      return kind === "saml" ? client.addSAMLProvider(saml) : client.addGenericOIDCProvider(oidc);
    },
    remove: (id) => client.deleteProvider({ id }),
    offer: ({ id }) => client.addIDPToLoginPolicy({ idpId: id }),
    withdraw: (idpId) => client.removeIDPFromLoginPolicy({ idpId }),
  };
}

function ofOrganization(transport: Transport): ProviderAccess {
  const client = createClient(ManagementService, transport);
  return {
    permission: "org.idp.write",
    list: async () => {
      const [{ result }, offered] = await Promise.all([
        client.listProviders({ query: { limit } }),
        client.listLoginPolicyIDPs({ query: { limit } }),
      ]);
      return { providers: result, offered: new Set(offered.result.map(({ idpId }) => idpId)) };
    },
    add: (kind, values) => {
      const { named, oidc, saml } = requestsOf(values);
      if (kind === "google") return client.addGoogleProvider(named);
      if (kind === "github") return client.addGitHubProvider(named);
      if (kind === "gitlab") return client.addGitLabProvider(named);
      if (kind === "microsoft") return client.addAzureADProvider(named);
      return kind === "saml" ? client.addSAMLProvider(saml) : client.addGenericOIDCProvider(oidc);
    },
    remove: (id) => client.deleteProvider({ id }),
    offer: ({ id, owner }) =>
      client.addIDPToLoginPolicy({ idpId: id, ownerType: owner || IDPOwnerType.IDP_OWNER_TYPE_ORG }),
    withdraw: (idpId) => client.removeIDPFromLoginPolicy({ idpId }),
  };
}
