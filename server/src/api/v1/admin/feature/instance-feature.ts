import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { methodsOfInstanceFeature } from "../../common/feature/instance-feature.ts";

/** AdminService: the one flag that version 1 knows, `loginDefaultOrg`. */
export function adminFeatureMethods(deps: { readonly database: Database }): Binding {
  const { set, answer } = methodsOfInstanceFeature(deps);
  return bind(AdminService, {
    activateFeatureLoginDefaultOrg: async (call) => answer(call.instanceId, await set(call, true)),
  });
}
