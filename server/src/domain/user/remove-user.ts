import type { Tx } from "../../database/index.ts";
import { deleteAllMetadata } from "../metadata/index.ts";
import { deleteNotificationsOfUser } from "../notification/index.ts";
import { deleteAllOneTimeSecrets } from "../one-time-secret/index.ts";
import { eraseEventsOfUser } from "./erase-events.store.ts";
import { deleteUserRows } from "./user.store.ts";
import { type User, userAggregate } from "./user.ts";

/**
 * Step: removes a held user with everything of its own, and frees its names. Callers remove what others own about the
 * user. Of a user the event log keeps no name, address or number (GDPR article 17).
 */
export async function removeUser(tx: Tx, user: User): Promise<void> {
  const { userId } = user;
  await deleteAllMetadata(tx, { type: "user", id: userId });
  await deleteAllOneTimeSecrets(tx, userId);
  await deleteNotificationsOfUser(tx, userId);
  const sequence = await deleteUserRows(tx, userId);
  if (sequence === undefined) return;
  const { kind, username, preferredLoginName } = user;
  const isPerson = kind === "human";
  if (isPerson) await eraseEventsOfUser(tx, userId);
  tx.record({
    type: "user.deleted",
    ...userAggregate(user),
    sequence,
    payload: isPerson ? { kind } : { kind, username, preferredLoginName },
  });
}
