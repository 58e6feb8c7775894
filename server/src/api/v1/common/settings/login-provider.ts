import type { MessageInitShape } from "@bufbuild/protobuf";
import { type IDPLoginPolicyLinkSchema, IDPType } from "@doorward/api/service/idp/v1/idp_pb";
import type { LoginPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { IdentityProviderSchema } from "@doorward/api/service/settings/v2/login_pb";
import type { Call } from "../../../../call/index.ts";
import {
  type IdentityProvider,
  listActiveIdentityProviders,
  listOfferedProviders,
  listUsableProviders,
  type ProviderKind,
  providerAbsent,
  removeIdentityProviderFromLogin,
} from "../../../../domain/identity-provider/index.ts";
import { type GetSettingsDeps, getSettings, type SettingsPlace } from "../../../../domain/settings/index.ts";
import { toListDetailsV1, toObjectDetails, toPage } from "../../../contract/index.ts";
import { providerTypes, toOptions } from "../../../v2/identity-provider/provider-message.ts";

type PageRequest = Parameters<typeof toPage>[0];

type Link = MessageInitShape<typeof IDPLoginPolicyLinkSchema>;

/** The methods on the identity providers that a login offers, for the instance (no organization) or an organization. */
export function methodsOfLoginProviders(deps: GetSettingsDeps) {
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
  return { list, remove };
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

/** What is known about the identity providers in login settings; implemented by a later module. */
export interface LoginProviders {
  /** Refuses ids of providers that the organization cannot use. */
  demandUsable(call: Call, organizationId: string, ids: readonly string[]): Promise<void>;
  /** Returns the providers with these ids that can be used in the scope, in that order. */
  name(place: SettingsPlace, ids: readonly string[]): Promise<MessageInitShape<typeof IDPLoginPolicyLinkSchema>[]>;
  /** Lists the providers that users can sign in with. */
  listActive(place: SettingsPlace): Promise<MessageInitShape<typeof IdentityProviderSchema>[]>;
}

type Policy = MessageInitShape<typeof LoginPolicySchema>;

/**
 * Returns the answer with what is known about the providers in its policy. The organization is empty for the instance.
 */
export async function nameProviders<Answer extends { readonly policy: Policy }>(
  { name }: LoginProviders,
  { instanceId }: Call,
  organizationId: string,
  answer: Answer,
): Promise<Answer> {
  const ids = (answer.policy.idps ?? []).flatMap(({ idpId }) => idpId ?? []);
  const place = { instanceId, ...(organizationId !== "" && { organizationId }) };
  return { ...answer, policy: { ...answer.policy, idps: await name(place, ids) } };
}
