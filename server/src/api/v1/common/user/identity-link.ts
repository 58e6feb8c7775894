import { IDPType } from "@doorward/api/service/idp/v1/idp_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { protocolOf } from "../../../../domain/identity-provider/index.ts";
import {
  type ListedIdentityLink,
  listIdentityLinks,
  removeIdentityLink,
} from "../../../../domain/identity-provider-link/index.ts";
import type { AuthorizeDeps, PreparedDeps } from "../../../../domain/user/index.ts";
import { toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";

export type Deps = AuthorizeDeps & PreparedDeps & { readonly database: Database };

// This generation distinguishes only two kinds, by their protocol.
const types: Readonly<Record<ReturnType<typeof protocolOf>, IDPType>> = {
  openid: IDPType.IDP_TYPE_OIDC,
  jwt: IDPType.IDP_TYPE_JWT,
  oauth: IDPType.IDP_TYPE_UNSPECIFIED,
  saml: IDPType.IDP_TYPE_UNSPECIFIED,
  ldap: IDPType.IDP_TYPE_UNSPECIFIED,
};

export async function list(deps: Deps, call: Call, userId: string, query: ListQuery | undefined) {
  const { rows, total } = await listIdentityLinks(deps, call, { userId, ...toPageV1(query) });
  return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
}

export async function remove(
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
  idpType: types[protocolOf(link.providerKind)],
  ...(link.isSuspended && { suspended: true }),
});
