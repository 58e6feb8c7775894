import { type Client, createClient, type Transport } from "@connectrpc/connect";
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

type Service = Client<typeof AdminService> | Client<typeof ManagementService>;

/** What both levels have under the same names, which is all but how the login offers a provider. */
function shared(client: Service): Pick<ProviderAccess, "list" | "add" | "remove" | "withdraw"> {
  // Both services declare these methods with messages of one form.
  const methods = client as Client<typeof AdminService>;
  return {
    list: async () => {
      const [{ result }, offered] = await Promise.all([
        methods.listProviders({ query: { limit } }),
        methods.listLoginPolicyIDPs({ query: { limit } }),
      ]);
      return { providers: result, offered: new Set(offered.result.map(({ idpId }) => idpId)) };
    },
    add: (kind, values) => {
      const { named, oidc, saml } = requestsOf(values);
      if (kind === "google") return methods.addGoogleProvider(named);
      if (kind === "github") return methods.addGitHubProvider(named);
      if (kind === "gitlab") return methods.addGitLabProvider(named);
      if (kind === "microsoft") return methods.addAzureADProvider(named);
      return kind === "saml" ? methods.addSAMLProvider(saml) : methods.addGenericOIDCProvider(oidc);
    },
    remove: (id) => methods.deleteProvider({ id }),
    withdraw: (idpId) => methods.removeIDPFromLoginPolicy({ idpId }),
  };
}

function ofInstance(transport: Transport): ProviderAccess {
  const client = createClient(AdminService, transport);
  return {
    ...shared(client),
    permission: "iam.idp.write",
    offer: ({ id }) => client.addIDPToLoginPolicy({ idpId: id }),
  };
}

function ofOrganization(transport: Transport): ProviderAccess {
  const client = createClient(ManagementService, transport);
  return {
    ...shared(client),
    permission: "org.idp.write",
    offer: ({ id, owner }) =>
      client.addIDPToLoginPolicy({ idpId: id, ownerType: owner || IDPOwnerType.IDP_OWNER_TYPE_ORG }),
  };
}
