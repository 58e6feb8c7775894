import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import {
  listFailedEvents,
  listViewsOfInstance,
  removeFailedEvent,
  type ViewDeps,
} from "../../../../domain/maintenance/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { toFailedEventKey, toFailedEventMessage, toViewMessage } from "../../common/maintenance/maintenance-message.ts";

/** AdminService: feeds and jobs, and what could not be delivered in the instance. */
export const adminMaintenanceMethods = (deps: ViewDeps): Binding =>
  bind(AdminService, {
    async listViews(call) {
      return { result: (await listViewsOfInstance(deps, call)).map(toViewMessage) };
    },
    async listFailedEvents(call) {
      return { result: (await listFailedEvents(deps, call)).map(toFailedEventMessage) };
    },
    async removeFailedEvent(call, request) {
      await removeFailedEvent(deps, call, toFailedEventKey(request));
      return {};
    },
  });
