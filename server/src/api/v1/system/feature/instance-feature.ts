import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { methodsOfInstanceFeature } from "../../common/feature/instance-feature.ts";

/** SystemService: the one flag that version 1 knows, of any instance. */
export function systemFeatureMethods(deps: { readonly database: Database }): Binding {
  const { set, answer } = methodsOfInstanceFeature(deps);
  return bind(SystemService, {
    async setInstanceFeature(call, { instanceId, value }) {
      if (value.case === undefined) {
        throw new Fault("invalid_argument", "field.required", { field: "bool", values: { field: "bool" } });
      }
      return answer(instanceId, await set(call, value.value, instanceId));
    },
  });
}
