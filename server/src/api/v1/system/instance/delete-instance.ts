import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { deleteInstance } from "../../../../domain/deletion/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import type { InstanceDeletionDeps } from "../../../v2/instance/delete-instance.ts";

/** SystemService: deletion of instances. */
export const systemInstanceDeletionMethods = (deps: InstanceDeletionDeps): Binding =>
  bind(SystemService, {
    async removeInstance(call, request) {
      await deleteInstance(deps, call, request);
      return {};
    },
  });
