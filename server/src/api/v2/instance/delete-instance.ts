import { InstanceService } from "@doorward/api/service/instance/v2/instance_service_pb";
import type { Clock } from "../../../base/clock.ts";
import type { Database } from "../../../database/index.ts";
import { deleteInstance } from "../../../domain/deletion/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

export interface InstanceDeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** InstanceService: deletion of instances. */
export const instanceDeletionMethods = (deps: InstanceDeletionDeps): Binding =>
  bind(InstanceService, {
    async deleteInstance(call, request) {
      return { deletionDate: toTimestamp((await deleteInstance(deps, call, request)).deletedAt) };
    },
  });
