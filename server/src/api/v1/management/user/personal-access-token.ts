import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Random } from "../../../../base/random.ts";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import {
  addPersonalAccessToken,
  type CredentialFilter,
  type ListedCredential,
  listPersonalAccessTokens,
  removePersonalAccessToken,
} from "../../../../domain/credential/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import {
  type Binding,
  bind,
  fromTimestamp,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTimestamp,
} from "../../../contract/index.ts";
import type { UserDeps } from "../../../v2/user/user.ts";

/** ManagementService: personal access tokens, by the operations of the second generation. */
export const personalAccessTokenMethods = (deps: UserDeps & { readonly random: Random }): Binding =>
  bind(ManagementService, {
    getPersonalAccessTokenByIDs: async (call, { userId, tokenId }) => {
      const filters = [...ofUser(call, userId), { by: "id", value: tokenId } as const];
      const page = { offset: 0, limit: 1 };
      const { rows } = await listPersonalAccessTokens(deps, call, { filters, page, isDescending: false, by: "id" });
      if (rows[0] === undefined)
        throw new Fault("not_found", "user.personal_access_token_not_found", { field: "tokenId" });
      return { token: toMessage(rows[0]) };
    },
    listPersonalAccessTokens: async (call, { userId, query }) => {
      const order = { ...toPageV1(query), by: "createdAt" } as const;
      const { rows, total } = await listPersonalAccessTokens(deps, call, { ...order, filters: ofUser(call, userId) });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    addPersonalAccessToken: async (call, { userId, expirationDate }) => {
      const { organizationId } = await requireUserOfOrganization(deps.database.read, call, userId);
      const expiresAt = expirationDate && fromTimestamp(expirationDate);
      const { tokenId, token, createdAt, sequence } = await addPersonalAccessToken(deps, call, { userId, expiresAt });
      const details = toObjectDetails({ sequence, createdAt, changedAt: createdAt, ownerId: organizationId });
      return { tokenId, token: token.reveal(), details };
    },
    removePersonalAccessToken: async (call, { userId, tokenId }) => {
      await requireUserOfOrganization(deps.database.read, call, userId);
      return { details: toObjectDetails(await removePersonalAccessToken(deps, call, { userId, tokenId })) };
    },
  });

const ofUser = (call: Call, userId: string): CredentialFilter[] => [
  { by: "userId", value: userId },
  { by: "organizationId", value: requireOrganization(call) },
];

const toMessage = ({ id, organizationId, scope, expiresAt, ...token }: ListedCredential) => ({
  id,
  details: toObjectDetails({ ...token, ownerId: organizationId }),
  expirationDate: toTimestamp(expiresAt),
  scopes: scope.split(" "),
});
