import type { Call } from "../../call/index.ts";
import { type Database, performAll, type Tx } from "../../database/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { type Group, holdGroupsOfOrganization, holdGroupToDelete, removeGroup } from "../group/index.ts";
import { refuseLeftToInstance } from "./refuse-left-to-instance.ts";

/**
 * Deletes a group with the roles that were assigned to it; its users stay, without these roles. Deleting an absent one
 * succeeds, and no time is returned.
 */
export async function deleteGroup(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly groupId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const group = await holdGroupToDelete(tx, input.groupId);
    if (group === undefined) return {};
    await refuseLeftToInstance(tx, group.organizationId, "group.delete");
    await discardGroup(tx, group);
    return { deletedAt: tx.now };
  });
}

// Each may have a batch of members and of role assignments.
const groupsAtOnce = 10;

/**
 * Step, for an organization that is being deleted and locked: deletes its groups with the roles that were assigned to
 * them.
 */
export function discardGroupsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => holdGroupsOfOrganization(own, organizationId, limit),
    perform: async (own, groups) => {
      for (const group of groups) await discardGroup(own, group);
    },
    size: groupsAtOnce,
  });
}

async function discardGroup(tx: Tx, group: Group): Promise<void> {
  await removeAuthorizations(tx, { groupId: group.groupId });
  await removeGroup(tx, group);
}
