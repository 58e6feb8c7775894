import { inTurn, list, sql, type Tx } from "../../database/index.ts";
import type { Unblockable } from "./authorize-user.ts";
import type { UserState } from "./user.ts";

/**
 * Moves a user, if the current state allows it. Returns whether it, or a block that it ends, changed anything. Where
 * the password is not unblocked, the count of wrong guesses continues.
 */
export async function updateUserState(
  tx: Tx,
  userId: string,
  move: { readonly from: readonly UserState[]; readonly to: UserState; readonly unblocked: Unblockable },
): Promise<boolean> {
  const isUnblocked = move.unblocked !== "nothing" && (await unblockFactors(tx, userId));
  if (move.unblocked !== "everything") {
    const count = await tx.run(sql`update users set state = ${move.to}
      where instance_id = ${tx.instanceId} and user_id = ${userId} and state in ${list(move.from)}
    ${inTurn(tx, "alone", "user", userId)}`);
    return count > 0 || isUnblocked;
  }
  const count = await tx.run(sql`update users
    set state = case when state in ${list(move.from)} then ${move.to} else state end, failed_password_checks = 0,
      password_blocked_at = null
    where instance_id = ${tx.instanceId} and user_id = ${userId}
      and (state in ${list(move.from)} or password_blocked_at is not null)
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0 || isUnblocked;
}

async function unblockFactors(tx: Tx, userId: string): Promise<boolean> {
  const count = await tx.run(sql`update user_factors set failed_checks = 0, blocked_at = null
    where instance_id = ${tx.instanceId} and user_id = ${userId} and blocked_at is not null`);
  return count > 0;
}

/** Whether wrong guesses blocked the password or a factor of a user. */
export async function isBlocked(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from users u
    where u.instance_id = ${tx.instanceId} and u.user_id = ${userId} and (u.password_blocked_at is not null
      or exists (select 1 from user_factors f where f.instance_id = ${tx.instanceId} and f.user_id = u.user_id
        and f.blocked_at is not null))`);
  return row !== undefined;
}

/**
 * Activates a new user once the address is proven and there is something to sign in with. Returns whether that was now.
 */
export async function updateInitialized(tx: Tx, userId: string): Promise<boolean> {
  const count = await tx.run(sql`update users set state = 'active'
    where instance_id = ${tx.instanceId} and user_id = ${userId} and state = 'initial' and is_email_verified = 1
      and (password_hash is not null or exists (select 1 from user_factors f where f.instance_id = ${tx.instanceId}
        and f.user_id = ${userId} and f.kind = 'passkey' and f.state = 'ready'))
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0;
}
