import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { type Binding, bind } from "../../../contract/index.ts";

/**
 * Providers that write messages to files or to the log. No instance has such a provider: messages carry codes that open
 * accounts. `doorward dev` shows messages in its inbox instead.
 */
export const debugProviderMethods = (): Binding =>
  bind(AdminService, { getFileSystemNotificationProvider: refuse, getLogNotificationProvider: refuse });

const refuse = (): Promise<never> => Promise.reject(new Fault("not_found", "message_provider.not_found"));
