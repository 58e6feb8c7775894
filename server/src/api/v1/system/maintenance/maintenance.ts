import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import {
  clearView,
  listAllFailedEvents,
  listViews,
  removeFailedEventOf,
  type ViewDeps,
} from "../../../../domain/maintenance/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { toFailedEventKey, toFailedEventMessage, toViewMessage } from "../../common/maintenance/maintenance-message.ts";

/** SystemService: feeds and jobs, and what could not be delivered in any instance. */
export const systemMaintenanceMethods = (deps: ViewDeps): Binding =>
  bind(SystemService, {
    async listViews(call) {
      return { result: (await listViews(deps, call)).map(toViewMessage) };
    },
    async clearView(call, { database: kind, viewName: name }) {
      await clearView(deps, call, { kind, name });
      return {};
    },
    async listFailedEvents(call) {
      const failed = await listAllFailedEvents(deps, call);
      return { result: failed.map((event) => ({ ...toFailedEventMessage(event), instanceId: event.instanceId })) };
    },
    async removeFailedEvent(call, request) {
      const { instanceId } = request;
      await removeFailedEventOf(deps, call, { ...toFailedEventKey(request), instanceId });
      return {};
    },
  });
