import type { MessageInitShape } from "@bufbuild/protobuf";
import { type IDPLoginPolicyLinkSchema, IDPType } from "@doorward/api/service/idp/v1/idp_pb";
import type { LoginPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  listOfferedProviders,
  listUsableProviders,
  type ProviderKind,
  type ProviderSummary,
  providerAbsent,
  removeIdentityProviderFromLogin,
} from "../../../../domain/identity-provider/index.ts";
import { getSettings, type SettingsDeps } from "../../../../domain/settings/index.ts";
import { toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";

type PageRequest = Parameters<typeof toPageV1>[0];

type Link = MessageInitShape<typeof IDPLoginPolicyLinkSchema>;

/** The methods on the identity providers that a login offers, for the instance (no organization) or an organization. */
export function methodsOfLoginProviders(deps: SettingsDeps) {
  const list = async (call: Call, organizationId: string, query: PageRequest) => {
    const scope = { instanceId: call.instanceId, ...(organizationId !== "" && { organizationId }) };
    const { settings } = await getSettings(deps, call, { kind: "login", ...scope });
    const { offset, limit } = toPageV1(query).page;
    // In the order in which the login shows them. They are few: one document holds them.
    const offered = await listOfferedProviders(deps.database.read, scope, settings.identityProviderIds);
    const result = offered.slice(offset, offset + limit).map(toLink);
    return { details: toListDetailsV1(offered.length, call.now), result };
  };
  const remove = async (call: Call, organizationId: string, identityProviderId: string) => ({
    details: toObjectDetails(await removeIdentityProviderFromLogin(deps, call, { organizationId, identityProviderId })),
  });
  return { list, remove };
}

/** Rejects ids of providers that the organization cannot use. */
export async function demandUsableProviders(
  { database }: { readonly database: Database },
  { instanceId }: Call,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const usable = await listUsableProviders(database.read, instanceId, { organizationId, ids });
  if (new Set(ids).size !== usable.length) throw providerAbsent("idps");
}

// The enumeration of these messages has no other kinds.
const linkTypes: Partial<Record<ProviderKind, IDPType>> = { oidc: IDPType.IDP_TYPE_OIDC, jwt: IDPType.IDP_TYPE_JWT };

const toLink = ({ identityProviderId, name, kind }: ProviderSummary): Link => ({
  idpId: identityProviderId,
  idpName: name,
  idpType: linkTypes[kind] ?? IDPType.IDP_TYPE_UNSPECIFIED,
});

type Policy = MessageInitShape<typeof LoginPolicySchema>;

/**
 * Returns the answer with the names of the providers in its policy, omitting those that cannot be used there. The
 * organization is empty for the instance.
 */
export async function nameProviders<Answer extends { readonly policy: Policy }>(
  { database }: { readonly database: Database },
  { instanceId }: Call,
  organizationId: string,
  answer: Answer,
): Promise<Answer> {
  const ids = (answer.policy.idps ?? []).flatMap(({ idpId }) => idpId ?? []);
  const scope = { instanceId, ...(organizationId !== "" && { organizationId }) };
  const idps = (await listOfferedProviders(database.read, scope, ids)).map(toLink);
  return { ...answer, policy: { ...answer.policy, idps } };
}
