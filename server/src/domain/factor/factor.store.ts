import type { Instant } from "../../base/clock.ts";
import { list, type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { CodeFactor, Factor, FactorKind, HeldFactor } from "./factor.ts";

const heldColumns = text(`kind, state, sealed_secret as "sealedSecret", blocked_at as "blockedAt"`);

/**
 * Returns a factor of a user, locked until the unit of work ends, so that guesses are evaluated one after the other.
 */
export function holdFactor(tx: Tx, userId: string, kind: FactorKind): Promise<HeldFactor | undefined> {
  return tx.maybe<HeldFactor>(sql`select ${heldColumns} from user_factors
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = ${kind} ${rowLock(tx, "alone")}`);
}

/** Lists the factors of a user by kind. */
export function listFactorsOfUser(reader: Reader, instanceId: string, userId: string): Promise<Factor[]> {
  return reader.all<Factor>(sql`select kind, state, blocked_at as "blockedAt" from user_factors
    where instance_id = ${instanceId} and user_id = ${userId} order by kind`);
}

/**
 * Whether a user has a factor of a kind, or began to add it. The user must be locked: factors change only under that
 * lock.
 */
export async function hasFactorOfKind(tx: Tx, userId: string, kind: FactorKind): Promise<boolean> {
  return (await listFactorsOfUser(tx, tx.instanceId, userId)).some((factor) => factor.kind === kind);
}

/** Lists the kinds of factor with which a user can authenticate. */
export async function listReadyFactors(reader: Reader, instanceId: string, userId: string): Promise<FactorKind[]> {
  const factors = await listFactorsOfUser(reader, instanceId, userId);
  return factors.filter(({ state }) => state === "ready").map(({ kind }) => kind);
}

/**
 * Starts the registration of an authenticator app, replacing an unconfirmed one. False when there is a confirmed app.
 */
export async function upsertPendingTotp(tx: Tx, userId: string, sealedSecret: string): Promise<boolean> {
  const count =
    await tx.run(sql`insert into user_factors (instance_id, user_id, kind, state, sealed_secret, last_time_step,
      failed_checks, blocked_at, ready_at, created_at, changed_at)
    values (${tx.instanceId}, ${userId}, 'totp', 'pending', ${sealedSecret}, null, 0, null, null, ${tx.now}, ${tx.now})
    on conflict (instance_id, user_id, kind) do update set sealed_secret = excluded.sealed_secret, last_time_step = null,
      failed_checks = 0, blocked_at = null, created_at = excluded.created_at, changed_at = excluded.changed_at
      where user_factors.state = 'pending'`);
  return count > 0;
}

/** Deletes an authenticator app whose registration only began. */
export async function deletePendingTotp(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from user_factors
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = 'totp' and state = 'pending'`);
}

/** Confirms an authenticator app. */
export async function markTotpReady(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`update user_factors set state = 'ready', ready_at = ${tx.now}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = 'totp' and state = 'pending'`);
}

/** Adds a factor that is ready at once. False when the user has it already. */
export async function insertReadyFactor(tx: Tx, userId: string, kind: Exclude<FactorKind, "totp">): Promise<boolean> {
  const count =
    await tx.run(sql`insert into user_factors (instance_id, user_id, kind, state, failed_checks, ready_at, created_at,
      changed_at)
    values (${tx.instanceId}, ${userId}, ${kind}, 'ready', 0, ${tx.now}, ${tx.now}, ${tx.now})
    on conflict do nothing`);
  return count > 0;
}

/**
 * Consumes a code of an authenticator app by its time step: no step is accepted twice, nor one before an accepted step.
 * Wrong guesses are forgotten.
 */
export async function takeTimeStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const count = await tx.run(sql`update user_factors set last_time_step = ${step}, failed_checks = 0
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = 'totp' and blocked_at is null
      and (last_time_step is null or last_time_step < ${step})`);
  return count > 0;
}

/** Resets the count of wrong guesses after a right one. */
export async function forgetFailedChecks(tx: Tx, userId: string, kind: CodeFactor): Promise<void> {
  await tx.run(sql`update user_factors set failed_checks = 0
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = ${kind} and failed_checks > 0`);
}

/** Counts a wrong guess, and blocks the factor when the count reaches `maximum`. */
export function countFailedCheck(
  tx: Tx,
  userId: string,
  { kind, maximum }: { readonly kind: CodeFactor; readonly maximum: number },
): Promise<{ failedChecks: number; isBlocked: number } | undefined> {
  return tx.maybe(sql`update user_factors set failed_checks = failed_checks + 1,
      blocked_at = case when failed_checks + 1 >= ${maximum} then cast(${tx.now} as bigint) end
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = ${kind} and blocked_at is null
    returning failed_checks as "failedChecks", case when blocked_at is null then 0 else 1 end as "isBlocked"`);
}

/** Deletes a factor of a user. Returns since when it was ready; undefined when the user does not have it. */
export function deleteFactorRow(
  tx: Tx,
  userId: string,
  kind: FactorKind,
): Promise<{ readonly readyAt: Instant | null } | undefined> {
  return tx.maybe(sql`delete from user_factors
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = ${kind} returning ready_at as "readyAt"`);
}

/** Deletes every factor of a user who is being deleted. */
export async function deleteFactorRowsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from user_factors where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`);
}
