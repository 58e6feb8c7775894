import type { Tx } from "../../database/index.ts";
import { deleteMembership } from "./membership.store.ts";
import { membershipAggregate, type Place } from "./membership.ts";

/** Step: removes a position of a user. The caller has authorized it. */
export async function removeMembership(
  tx: Tx,
  place: Pick<Place, "level" | "resourceId" | "ownerId">,
  userId: string,
): Promise<void> {
  const sequence = await deleteMembership(tx, place, userId);
  if (sequence === undefined) return;
  tx.record({ type: "membership.deleted", ...membershipAggregate(place, userId), sequence });
}
