import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { IDPType } from "@doorward/api/service/idp/v1/idp_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import type { ProviderKind } from "../identity-provider/index.ts";
import { type AuthorizeDeps, requireUserOfOrganization } from "../user/index.ts";
import type { ListedIdentityLink } from "./identity-link.ts";
import { listIdentityLinks } from "./list-identity-links.ts";
import { removeIdentityLink } from "./remove-identity-link.ts";

type Deps = AuthorizeDeps & { readonly database: Database };

// This generation distinguishes only two kinds.
const types: Readonly<Record<ProviderKind, IDPType>> = {
  oidc: IDPType.IDP_TYPE_OIDC,
  google: IDPType.IDP_TYPE_OIDC,
  gitlab: IDPType.IDP_TYPE_OIDC,
  gitlab_self_hosted: IDPType.IDP_TYPE_OIDC,
  azure_ad: IDPType.IDP_TYPE_OIDC,
  jwt: IDPType.IDP_TYPE_JWT,
  oauth: IDPType.IDP_TYPE_UNSPECIFIED,
  github: IDPType.IDP_TYPE_UNSPECIFIED,
  github_es: IDPType.IDP_TYPE_UNSPECIFIED,
};

/** The first generation of the API: accounts of the caller, and of users of the organization of the call. */
export function identityLinkMethodsV1(deps: Deps): readonly Binding[] {
  const managed = async (call: Call, userId: string): Promise<string> =>
    (await requireUserOfOrganization(deps.database.read, call, userId)).userId;
  return [
    bind(AuthService, {
      listMyLinkedIDPs: (call, { query }) => list(deps, call, requireCaller(call).userId, query),
      removeMyLinkedIDP: (call, { idpId, linkedUserId }) =>
        remove(deps, call, requireCaller(call).userId, { idpId, linkedUserId }),
    }),
    bind(ManagementService, {
      listHumanLinkedIDPs: async (call, { userId, query }) => list(deps, call, await managed(call, userId), query),
      removeHumanLinkedIDP: async (call, { userId, idpId, linkedUserId }) =>
        remove(deps, call, await managed(call, userId), { idpId, linkedUserId }),
    }),
  ];
}

async function list(deps: Deps, call: Call, userId: string, query: ListQuery | undefined) {
  const { rows, total } = await listIdentityLinks(deps, call, { userId, ...toPage(query, "query") });
  return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
}

async function remove(
  deps: Deps,
  call: Call,
  userId: string,
  { idpId: identityProviderId, linkedUserId: externalUserId }: { idpId: string; linkedUserId: string },
) {
  const details = await removeIdentityLink(deps, call, { userId, identityProviderId, externalUserId });
  return { details: toObjectDetails(details) };
}

const toMessage = (link: ListedIdentityLink) => ({
  userId: link.userId,
  idpId: link.identityProviderId,
  idpName: link.providerName,
  providedUserId: link.externalUserId,
  providedUserName: link.externalUsername,
  idpType: types[link.providerKind],
  ...(link.isSuspended && { suspended: true }),
});
