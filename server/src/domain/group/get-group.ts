import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findGroup } from "./group.store.ts";
import { type Group, groupAbsence } from "./group.ts";

/** Returns a group, for callers who may read it. */
export async function getGroup(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly groupId: string },
): Promise<Group> {
  const group = await findGroup(deps.database.read, call.instanceId, input.groupId);
  authorize(call, group, { permission: "group.read", ...groupAbsence });
  return group;
}
