import type { Tx } from "../../database/index.ts";
import { listAcceptedMemberships } from "./membership.store.ts";
import { removeMemberships } from "./remove-membership.ts";

/** Step: removes the positions of a user that took effect because the user accepted them. */
export async function removeAcceptedMemberships(tx: Tx, userId: string): Promise<void> {
  await removeMemberships(tx, await listAcceptedMemberships(tx, userId));
}
