import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { visibleUsers } from "../user/index.ts";
import type { Group } from "./group.ts";
import { listGroupRows, listGroupUserRows } from "./group-list.store.ts";
import type { GroupSearch, GroupUser, GroupUserSearch } from "./group-search.ts";

/** Lists the groups that the caller may read; hidden ones are not counted either. */
export function listGroups(
  deps: { readonly database: Database },
  call: Call,
  search: GroupSearch,
): Promise<List<Group>> {
  const reach = requireCaller(call).access.reach("group.read");
  return listGroupRows(deps.database.read, call.instanceId, { reach, search });
}

/** Lists which users are in which groups, as far as the caller may know; always including the caller's own groups. */
export function listGroupUsers(
  deps: { readonly database: Database },
  call: Call,
  search: GroupUserSearch,
): Promise<List<GroupUser>> {
  const reach = requireCaller(call).access.reach("group.user.read");
  return listGroupUserRows(deps.database.read, call.instanceId, { reach, view: visibleUsers(call), search });
}
