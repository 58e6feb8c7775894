import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { type AdministeredResource, findPlace, memberPermission, requireAtPlace } from "../membership/index.ts";
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
  const place = await findPlace(read, call.instanceId, resource);
  requireAtPlace(access, resource.level, place, `${memberPermission[resource.level]}.read`);
  return listMemberRows(read, call.instanceId, place, { ...search, view: visibleUsers(call) });
}
