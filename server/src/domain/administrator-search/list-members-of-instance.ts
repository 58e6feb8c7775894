import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { findAdministratorScope } from "../administrator-access/index.ts";
import { authorizeInstance, callIn } from "../instance/index.ts";
import { listMemberRows } from "./member-list.store.ts";
import type { Member, MemberSearch } from "./member-search.ts";

// System users stand above every organization.
const wholeInstance = { everywhere: true, organizationIds: [], userId: "" } as const;

/** Lists the administrators of any instance, for system users: that of the request, unless another one is named. */
export async function listMembersOfInstance(
  deps: { readonly database: Database },
  call: Call,
  { instanceId, ...search }: MemberSearch & { readonly instanceId: string },
): Promise<List<Member>> {
  const { read } = deps.database;
  const inside = callIn(call, instanceId);
  await authorizeInstance(read, call, inside.instanceId, { systemPermission: "system.iam.member.read" });
  const scope = await findAdministratorScope(read, inside.instanceId, { level: "instance" });
  return scope === undefined
    ? { rows: [], total: 0 }
    : listMemberRows(read, inside.instanceId, scope, { ...search, view: wholeInstance });
}
