import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { visibleUsers } from "../user/index.ts";
import { listAdministratorRows } from "./administrator.store.ts";
import type { Administrator, AdministratorSearch } from "./administrator-search.ts";

/**
 * Lists the administrator roles of a user on resources where the caller may read such roles. Those of the caller, and
 * of users in whose organization the caller may read them, are listed for all resources.
 */
export function listMembershipsOfUser(
  deps: { readonly database: Database },
  call: Call,
  { userId, ...search }: AdministratorSearch & { readonly userId: string },
): Promise<{ readonly administrators: readonly Administrator[]; readonly total: number }> {
  const caller = requireCaller(call);
  const reach = caller.access.reach("user.membership.read");
  return listAdministratorRows(deps.database.read, call.instanceId, {
    view: visibleUsers(call),
    reach: { instance: reach, organization: reach, project: reach, project_grant: reach, home: reach },
    search: { ...search, filters: [{ by: "user_ids", userIds: [userId] }, ...search.filters] },
  });
}
