import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { requireCaller } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { listOwnPermissions } from "../../../../domain/administrator-access/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { methodsOfMemberships } from "../../common/membership/membership.ts";

/** AuthService: what the caller administers, and with which permissions. */
export function authMembershipMethods(deps: { readonly database: Database }): Binding {
  const { list } = methodsOfMemberships(deps);
  return bind(AuthService, {
    listMyMemberships: (call, request) => list(call, requireCaller(call).userId, request),
    listMyServicePermissions: async (call) => ({ result: await listOwnPermissions(deps, call) }),
  });
}
