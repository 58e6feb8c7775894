import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import {
  type AdministeredResource,
  findAdministratorScope,
  memberPermission,
  requireInScope,
} from "../administrator-access/index.ts";
import { visibleUsers } from "../user/index.ts";
import { listMemberRows } from "./member-list.store.ts";
import type { Member, MemberSearch } from "./member-search.ts";

/** Lists the administrators of one resource, for callers who may read them there. */
export async function listMembers(
  deps: { readonly database: Database },
  call: Call,
  { resource, ...search }: MemberSearch & { readonly resource: AdministeredResource },
): Promise<List<Member>> {
  const { access } = requireCaller(call);
  const { read } = deps.database;
  const scope = await findAdministratorScope(read, call.instanceId, resource);
  requireInScope(access, resource.level, scope, `${memberPermission[resource.level]}.read`);
  return listMemberRows(read, call.instanceId, scope, { ...search, view: visibleUsers(call) });
}
