import type { Tx } from "../../database/index.ts";
import { listAcceptedMemberships } from "./membership.store.ts";
import { removeMembership } from "./remove-membership.ts";

/** Step: removes the positions of a user that took effect because the user accepted them. */
export async function removeAcceptedMemberships(tx: Tx, userId: string): Promise<void> {
  for (const { level, resourceId, organizationId } of await listAcceptedMemberships(tx, userId)) {
    const ownerId = level === "instance" ? tx.instanceId : organizationId;
    await removeMembership(tx, { level, resourceId, ownerId }, userId);
  }
}
