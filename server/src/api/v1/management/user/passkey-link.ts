import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { addLink, type PasskeyLinkDeps, sendLink } from "../../common/user/passkey-link.ts";

/** ManagementService: links with which users of the organization of the call register a passkey. */
export function passkeyLinkMethods(deps: PasskeyLinkDeps): Binding {
  const managed = async (call: Call, userId: string) => {
    await requireUserOfOrganization(deps.database.read, call, userId);
    return { userId };
  };
  return bind(ManagementService, {
    addPasswordlessRegistration: async (call, { userId }) => addLink(deps, call, await managed(call, userId)),
    sendPasswordlessRegistration: async (call, { userId }) => sendLink(deps, call, await managed(call, userId)),
  });
}
