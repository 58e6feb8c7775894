import type { Details, Tx } from "../../database/index.ts";
import { findUser } from "./user.store.ts";
import type { User } from "./user.ts";

/** Returns the details of a user as they are now, inside the unit of work that changed it. */
export async function readDetails(tx: Tx, user: User): Promise<Details> {
  return (await findUser(tx, tx.instanceId, user.userId))?.details ?? user.details;
}
