import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type IDPLoginPolicyLinkSchema, IDPType } from "@doorward/api/service/idp/v1/idp_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { IdentityProviderSchema } from "@doorward/api/service/settings/v2/login_pb";
import { type Call, requireOrganization } from "../../call/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import { type GetSettingsDeps, getSettings, type SettingsPlace } from "../settings/index.ts";
import { addIdentityProviderToLogin } from "./add-identity-provider-to-login.ts";
import { listUsableProviders } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { listActiveIdentityProviders, listOfferedProviders } from "./list-active-identity-providers.ts";
import type { ProviderKind } from "./provider-kinds.ts";
import { providerTypes, toOptions } from "./provider-message.rpc.ts";
import { providerAbsent } from "./record-provider.ts";
import { removeIdentityProviderFromLogin } from "./remove-identity-provider-from-login.ts";

type PageRequest = Parameters<typeof toPage>[0];
type Link = MessageInitShape<typeof IDPLoginPolicyLinkSchema>;

/** The providers that the login of the instance, or of the organization of the call, offers. */
export function loginProviderMethods(deps: GetSettingsDeps): readonly Binding[] {
  const list = async (call: Call, organizationId: string, query: PageRequest) => {
    const place = { instanceId: call.instanceId, ...(organizationId !== "" && { organizationId }) };
    const { settings } = await getSettings(deps, call, { kind: "login", ...place });
    const { offset, limit } = toPage(query, "query").page;
    // In the order in which the login shows them. They are few: one document holds them.
    const offered = await listOfferedProviders(deps.database.read, place, settings.identityProviderIds);
    const result = offered.slice(offset, offset + limit).map(toLink);
    return { details: toListDetailsV1(offered.length, call.now), result };
  };
  const remove = async (call: Call, organizationId: string, identityProviderId: string) => ({
    details: toObjectDetails(await removeIdentityProviderFromLogin(deps, call, { organizationId, identityProviderId })),
  });
  return [
    bind(AdminService, {
      listLoginPolicyIDPs: (call, { query }) => list(call, "", query),
      async addIDPToLoginPolicy(call, { idpId: identityProviderId }) {
        const details = await addIdentityProviderToLogin(deps, call, { organizationId: "", identityProviderId });
        return { details: toObjectDetails(details) };
      },
      removeIDPFromLoginPolicy: (call, { idpId }) => remove(call, "", idpId),
    }),
    bind(ManagementService, {
      listLoginPolicyIDPs: (call, { query }) => list(call, requireOrganization(call), query),
      async addIDPToLoginPolicy(call, { idpId: identityProviderId, ownerType }) {
        const organizationId = requireOrganization(call);
        const owner = ownerType === IDPOwnerType.IDP_OWNER_TYPE_ORG ? "organization" : "instance";
        const details = await addIdentityProviderToLogin(deps, call, { organizationId, identityProviderId, owner });
        return { details: toObjectDetails(details) };
      },
      removeIDPFromLoginPolicy: (call, { idpId }) => remove(call, requireOrganization(call), idpId),
    }),
  ];
}

/** The providers in messages of settings; the module `settings` does not know providers itself. */
export function createLoginProviders({ database }: Pick<GetSettingsDeps, "database">) {
  return {
    /** Rejects ids of providers that the organization cannot use. */
    async demandUsable(call: Call, organizationId: string, ids: readonly string[]): Promise<void> {
      const usable = await listUsableProviders(database.read, call.instanceId, { organizationId, ids });
      if (new Set(ids).size !== usable.length) throw providerAbsent("idps");
    },
    /** Names the providers with these ids, in that order, omitting those that cannot be used there. */
    name: async (place: SettingsPlace, ids: readonly string[]): Promise<Link[]> =>
      (await listOfferedProviders(database.read, place, ids)).map(toLink),
    /** Lists the providers with which users can sign in. */
    listActive: async (place: SettingsPlace): Promise<MessageInitShape<typeof IdentityProviderSchema>[]> =>
      (await listActiveIdentityProviders(database.read, place)).map(toActiveMessage),
  };
}

// The enumeration of these messages has no other kinds.
const linkTypes: Partial<Record<ProviderKind, IDPType>> = { oidc: IDPType.IDP_TYPE_OIDC, jwt: IDPType.IDP_TYPE_JWT };

const toLink = ({ identityProviderId, name, configuration }: IdentityProvider): Link => ({
  idpId: identityProviderId,
  idpName: name,
  idpType: linkTypes[configuration.kind] ?? IDPType.IDP_TYPE_UNSPECIFIED,
});

function toActiveMessage(provider: IdentityProvider): MessageInitShape<typeof IdentityProviderSchema> {
  const { identityProviderId: id, name, options, configuration } = provider;
  const message = { id, name, type: providerTypes[configuration.kind], options: toOptions(options) };
  // The fields and numbers are those of other services, but the generated types differ.
  return message as unknown as MessageInitShape<typeof IdentityProviderSchema>;
}
