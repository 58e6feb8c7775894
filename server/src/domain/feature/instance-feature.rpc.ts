import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { type Binding, bind, toObjectDetails } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import type { StoredFeatures } from "./feature.store.ts";
import { setFeatures } from "./set-features.ts";

/** The one flag that the first generation knows, `loginDefaultOrg`, by means of the operation of the second. */
export function instanceFeatureMethods(deps: { readonly database: Database }): Binding[] {
  const set = (call: Call, value: boolean, instanceId?: string) =>
    setFeatures(deps, call, {
      level: "instance",
      flags: { loginDefaultOrg: value },
      ...(instanceId !== undefined && { instanceId }),
    });
  const answer = (instanceId: string, stored: StoredFeatures | undefined) => ({
    details: stored && toObjectDetails({ ...stored.details, ownerId: instanceId }),
  });
  return [
    bind(AdminService, {
      activateFeatureLoginDefaultOrg: async (call) => answer(call.instanceId, await set(call, true)),
    }),
    bind(SystemService, {
      async setInstanceFeature(call, { instanceId, value }) {
        if (value.case === undefined) {
          throw new Fault("invalid_argument", "field.required", { field: "bool", values: { field: "bool" } });
        }
        return answer(instanceId, await set(call, value.value, instanceId));
      },
    }),
  ];
}
