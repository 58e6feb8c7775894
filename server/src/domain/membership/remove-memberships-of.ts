import type { Tx } from "../../database/index.ts";
import { listMemberIds } from "./membership.store.ts";
import type { Place } from "./membership.ts";
import { removeMembership } from "./remove-membership.ts";

/** Step: removes the positions of all administrators of a resource that is being deleted. */
export async function removeMembershipsOf(
  tx: Tx,
  place: Pick<Place, "level" | "resourceId" | "ownerId">,
): Promise<void> {
  for (const userId of await listMemberIds(tx, place)) await removeMembership(tx, place, userId);
}
