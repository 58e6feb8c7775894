import type { Tx } from "../../database/index.ts";
import { deleteAllMetadata } from "../metadata/index.ts";
import { deleteNotificationsOfUsers } from "../notification/index.ts";
import { deleteAllOneTimeSecrets } from "../one-time-secret/index.ts";
import { eraseEventsOfUsers } from "./erase-events.store.ts";
import { deleteUserRows } from "./user.store.ts";
import { type User, userAggregate } from "./user.ts";

/**
 * Step: removes held users with everything of their own, and frees their names. Callers remove what others own about
 * the users. Of a user the event log keeps no name, address or number (GDPR article 17).
 */
export async function removeUsers(tx: Tx, users: readonly User[]): Promise<void> {
  const userIds = users.map(({ userId }) => userId);
  await deleteAllMetadata(tx, { type: "user", ids: userIds });
  await deleteAllOneTimeSecrets(tx, userIds);
  await deleteNotificationsOfUsers(tx, userIds);
  const people = users.filter(({ kind }) => kind === "human").map(({ userId }) => userId);
  const sequences = await deleteUserRows(tx, userIds);
  // Last, because a unit that is restarted must not have erased anything of a user who may stay.
  if (people.length > 0) await eraseEventsOfUsers(tx, people);
  for (const user of users) {
    const { userId, kind, username, preferredLoginName } = user;
    const sequence = sequences.get(userId);
    if (sequence === undefined) continue;
    tx.record({
      type: "user.deleted",
      ...userAggregate(user),
      sequence,
      payload: kind === "human" ? { kind } : { kind, username, preferredLoginName },
    });
  }
}
