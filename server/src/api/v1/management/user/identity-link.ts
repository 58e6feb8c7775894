import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { type Deps, list, remove } from "../../common/user/identity-link.ts";

/** ManagementService: accounts at identity providers that are linked to users of the organization of the call. */
export function managementIdentityLinkMethods(deps: Deps): Binding {
  const managed = async (call: Call, userId: string): Promise<string> =>
    (await requireUserOfOrganization(deps.database.read, call, userId)).userId;
  return bind(ManagementService, {
    listHumanLinkedIDPs: async (call, { userId, query }) => list(deps, call, await managed(call, userId), query),
    removeHumanLinkedIDP: async (call, { userId, idpId, linkedUserId }) =>
      remove(deps, call, await managed(call, userId), { idpId, linkedUserId }),
  });
}
