import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { methodsOfMemberships } from "../../common/membership/membership.ts";

/** ManagementService: what users administer. */
export function managementMembershipMethods(deps: { readonly database: Database }): Binding {
  const { list } = methodsOfMemberships(deps);
  return bind(ManagementService, {
    listUserMemberships: (call, request) => list(call, request.userId, request),
  });
}
