import type { Tx } from "../../database/index.ts";
import { listInstanceMemberships } from "./membership.store.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";

/** Step: refuses to deactivate or lock the last user who owns the instance and can sign in. */
export async function refuseLossOfOwner(tx: Tx, userId: string): Promise<void> {
  const held = await listInstanceMemberships(tx, [userId]);
  if (held.some(({ isOwner }) => isOwner === 1)) await refuseLastOwner(tx, [userId]);
}
