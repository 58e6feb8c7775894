import { performAll, type Tx } from "../../database/index.ts";
import type { AdministratorScope } from "../administrator-access/index.ts";
import { listMemberIds } from "./membership.store.ts";
import { removeMembership } from "./remove-membership.ts";

/** Step: removes the positions of all administrators of a resource that is being deleted. */
export function removeMembershipsOf(tx: Tx, scope: AdministratorScope): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => listMemberIds(own, scope, limit),
    perform: async (own, userIds) => {
      for (const userId of userIds) await removeMembership(own, scope, userId);
    },
  });
}
