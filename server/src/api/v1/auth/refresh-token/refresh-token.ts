import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { type Call, requireCaller } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  listOwnRefreshTokens,
  type RefreshableFamily,
  revokeAllOwnRefreshTokens,
  revokeOwnRefreshToken,
} from "../../../../domain/token/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toTimestamp } from "../../../contract/index.ts";

/** AuthService: the refresh tokens that applications hold for the caller. */
export const authRefreshTokenMethods = (deps: { readonly database: Database }): Binding =>
  bind(AuthService, {
    async listMyRefreshTokens(call) {
      const { rows, total } = await listOwnRefreshTokens(deps, call);
      const ownerId = ownerOf(call);
      return { details: toListDetailsV1(total, call.now), result: rows.map((row) => toMessage(row, ownerId)) };
    },
    async revokeMyRefreshToken(call, { id: familyId }) {
      const { changedAt } = await revokeOwnRefreshToken(deps, call, { familyId });
      return { details: { changeDate: toTimestamp(changedAt), resourceOwner: ownerOf(call) } };
    },
    async revokeAllMyRefreshTokens(call) {
      await revokeAllOwnRefreshTokens(deps, call);
      return {};
    },
  });

const ownerOf = (call: Call): string => requireCaller(call).organizationId;

const toMessage = (family: RefreshableFamily, ownerId: string) => ({
  id: family.familyId,
  details: toObjectDetails({ ...family, ownerId }),
  clientId: family.clientId,
  ...(family.authTime !== undefined && { authTime: toTimestamp(family.authTime) }),
  idleExpiration: toTimestamp(Math.min(family.idleExpiresAt, family.expiresAt)),
  expiration: toTimestamp(family.expiresAt),
  scopes: [...family.scopes],
  audience: [...family.audience],
});
