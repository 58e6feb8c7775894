import type { MessageInitShape } from "@bufbuild/protobuf";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import type { UserGrantSchema } from "@doorward/api/service/auth/v1/grant_pb";
import { Type } from "@doorward/api/service/user/v1/user_pb";
import { requireCaller } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import type { ClientDirectory } from "../../../../domain/application/index.ts";
import {
  type AuthorizationWithRoles,
  listAuthorizations,
  listOwnProjectRoles,
} from "../../../../domain/authorization/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import { userGrantStates } from "../../common/authorization/authorization-state.ts";

/** The first generation of the API: roles that the caller has in projects. */
export const authAuthorizationMethods = (deps: {
  readonly database: Database;
  readonly clients: ClientDirectory;
}): Binding =>
  bind(AuthService, {
    async listMyUserGrants(call, { query }) {
      const { rows, total } = await listAuthorizations(deps, call, {
        ...toPageV1(query),
        filters: [{ kind: "users", userIds: [requireCaller(call).userId] }],
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    async listMyProjectPermissions(call) {
      return { result: await listOwnProjectRoles(deps, call) };
    },
  });

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
