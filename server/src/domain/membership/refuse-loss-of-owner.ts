import type { Tx } from "../../database/index.ts";
import { listMembershipsOfUsers } from "./membership.store.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";

/** Step: refuses to let a user be deactivated or locked who is the last one to own the instance and sign in. */
export async function refuseLossOfOwner(tx: Tx, userId: string): Promise<void> {
  const held = await listMembershipsOfUsers(tx, [userId]);
  if (held.some(({ isOwner }) => isOwner === 1)) await refuseLastOwner(tx, [userId]);
}
