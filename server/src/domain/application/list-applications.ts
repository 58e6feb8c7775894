import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { type Application, applicationAbsence } from "./application.ts";
import { type ApplicationListQuery, listApplicationRows } from "./application-list.store.ts";

/** Lists the applications that the caller may read. */
export async function listApplications(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ApplicationListQuery, "reach">,
): Promise<List<Application>> {
  const reach = requireCaller(call).access.reach(applicationAbsence.readPermission);
  return listApplicationRows(deps.database.read, call.instanceId, { ...input, reach });
}
