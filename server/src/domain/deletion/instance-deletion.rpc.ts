import { InstanceService } from "@doorward/api/service/instance/v2/instance_service_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import type { Clock } from "../../base/clock.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteInstance } from "./delete-instance.ts";

interface InstanceDeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** InstanceService and the System API: deletion of instances. */
export const instanceDeletionMethods = (deps: InstanceDeletionDeps): readonly Binding[] => [
  bind(InstanceService, {
    async deleteInstance(call, request) {
      return { deletionDate: toTimestamp((await deleteInstance(deps, call, request)).deletedAt) };
    },
  }),
  bind(SystemService, {
    async removeInstance(call, request) {
      await deleteInstance(deps, call, request);
      return {};
    },
  }),
];
