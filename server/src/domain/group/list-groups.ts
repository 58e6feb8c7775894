import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import type { Group } from "./group.ts";
import { listGroupRows, listGroupUserRows } from "./group-list.store.ts";
import type { GroupSearch, GroupUser, GroupUserSearch } from "./group-search.ts";

/** The groups that the caller may read; what he may not see is not counted either. */
export function listGroups(
  deps: { readonly database: Database },
  call: Call,
  search: GroupSearch,
): Promise<List<Group>> {
  const reach = requireCaller(call).access.reach("group.read");
  return listGroupRows(deps.database.read, call.instanceId, { reach, search });
}

/** Who is in which groups, as far as the caller may know; always in which he is himself. */
export function listGroupUsers(
  deps: { readonly database: Database },
  call: Call,
  search: GroupUserSearch,
): Promise<List<GroupUser>> {
  const { access, userId: ownUserId } = requireCaller(call);
  const reach = access.reach("group.user.read");
  return listGroupUserRows(deps.database.read, call.instanceId, { reach, ownUserId, search });
}
