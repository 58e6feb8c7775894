import type { Instant } from "../../base/clock.ts";
import { inTurn, list, type Reader, rowLock, sql, type Tx, takeTurns } from "../../database/index.ts";

/** The epoch of a user who was just created: nothing was ended yet. */
export const firstSignInEpoch = 0;

/**
 * Finds the sign-in epoch of a user: a sign-in that established who the user is goes on only while it is the same.
 * Undefined when there is no such user.
 */
export async function findSignInEpoch(reader: Reader, instanceId: string, userId: string): Promise<number | undefined> {
  const row = await reader.maybe<{ signInEpoch: number }>(sql`select sign_in_epoch as "signInEpoch" from users
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return row?.signInEpoch;
}

/**
 * Returns the sign-in epoch of a user, who stays as they are until the unit of work ends: neither are their sign-ins
 * ended meanwhile, nor are they given a position. What others write is seen.
 */
export async function holdSignInEpoch(tx: Tx, userId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ signInEpoch: number }>(sql`select sign_in_epoch as "signInEpoch" from users
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "share", "user", userId)} ${rowLock(tx, "share")}`);
  return row?.signInEpoch;
}

/** Finds when the sign-ins of a user were last ended. Undefined when they never were, or there is no such user. */
export async function findEndOfSignIns(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<Instant | undefined> {
  const row = await reader.maybe<{ endedAt: number | null }>(sql`select sign_ins_ended_at as "endedAt" from users
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return row?.endedAt ?? undefined;
}

/**
 * Step: ends the sign-ins of users that are under way, in every browser and on every node, also those that are about to
 * write their session. A count and not an instant, because clocks of nodes differ. The instant is kept beside it for
 * what began before it was known whose sign-in it is: the answers of providers. `endedAt`: for these.
 */
export async function endSignInsOfUsers(tx: Tx, userIds: readonly string[], endedAt: Instant = tx.now): Promise<void> {
  if (userIds.length === 0) return;
  takeTurns(tx, "alone", "user", userIds);
  await tx.run(sql`update users set sign_in_epoch = sign_in_epoch + 1, sign_ins_ended_at = ${endedAt}
    where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`);
}
