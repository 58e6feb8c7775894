import type { MessageInitShape } from "@bufbuild/protobuf";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import type { UserGrantSchema } from "@doorward/api/service/auth/v1/grant_pb";
import { UserGrantState } from "@doorward/api/service/user/v1/user_grant_pb";
import { Type } from "@doorward/api/service/user/v1/user_pb";
import { requireCaller } from "../../call/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import type { ClientDirectory } from "../application/index.ts";
import type { AuthorizationState } from "./authorization.ts";
import { type AuthorizationWithRoles, listAuthorizations } from "./list-authorizations.ts";
import { listOwnProjectRoles } from "./list-own-project-roles.ts";

/** The first generation of the API: roles that the caller has in projects. */
export const ownAuthorizationMethods = (deps: {
  readonly database: Database;
  readonly clients: ClientDirectory;
}): Binding =>
  bind(AuthService, {
    async listMyUserGrants(call, { query }) {
      const { rows, total } = await listAuthorizations(deps, call, {
        ...toPage(query, "query"),
        filters: [{ kind: "users", userIds: [requireCaller(call).userId] }],
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    async listMyProjectPermissions(call) {
      return { result: await listOwnProjectRoles(deps, call) };
    },
  });

/** States as the first generation names them. */
export const userGrantStates = {
  active: UserGrantState.ACTIVE,
  inactive: UserGrantState.INACTIVE,
} as const satisfies Record<AuthorizationState, UserGrantState>;

function toMessage(row: AuthorizationWithRoles): MessageInitShape<typeof UserGrantSchema> {
  const roleKeys = row.roles.map(({ roleKey }) => roleKey);
  return {
    orgId: row.organizationId,
    projectId: row.projectId,
    userId: row.userId,
    roles: roleKeys,
    orgName: row.organizationName,
    grantId: row.authorizationId,
    details: toObjectDetails({ ...row, ownerId: row.organizationId }),
    orgDomain: row.organizationDomain,
    projectName: row.projectName,
    projectGrantId: row.projectGrantId,
    roleKeys,
    userType: row.userKind === "human" ? Type.HUMAN : Type.MACHINE,
    state: userGrantStates[row.state],
  };
}
