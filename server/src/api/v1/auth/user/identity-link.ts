import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { requireCaller } from "../../../../call/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { type Deps, list, remove } from "../../common/user/identity-link.ts";

/** AuthService: accounts at identity providers that are linked to the caller's own. */
export const authIdentityLinkMethods = (deps: Deps): Binding =>
  bind(AuthService, {
    listMyLinkedIDPs: (call, { query }) => list(deps, call, requireCaller(call).userId, query),
    removeMyLinkedIDP: (call, { idpId, linkedUserId }) =>
      remove(deps, call, requireCaller(call).userId, { idpId, linkedUserId }),
  });
