import type { Reader } from "../../database/index.ts";
import { listHeldRoles } from "./access.store.ts";

/** Whether a user administers anything: the instance, an organization, a project or a project grant. */
export const isAdministrator = async (reader: Reader, instanceId: string, userId: string): Promise<boolean> =>
  (await listHeldRoles(reader, instanceId, userId)).length > 0;
