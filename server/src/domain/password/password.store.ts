import { inTurn, join, type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { UserState } from "../user/index.ts";
import { guessDelays } from "./guess-delay.ts";

/** What a password check is based on. */
export interface PasswordRow {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationState: "active" | "inactive";
  readonly state: UserState;
  readonly passwordHash: string | null;
  /** The administrator who knows the password; empty where the user chose it, null where that is not known. */
  readonly passwordAuthor: string | null;
  readonly passwordChangedAt: number | null;
  readonly isChangeRequired: number;
  readonly blockedAt: number | null;
  readonly failedChecks: number;
  readonly lastCheckAt: number | null;
  readonly signInEpoch: number;
}

export function findPasswordRow(reader: Reader, instanceId: string, userId: string): Promise<PasswordRow | undefined> {
  return reader.maybe<PasswordRow>(sql`select u.user_id as "userId", u.organization_id as "organizationId",
      o.state as "organizationState", u.state, u.password_hash as "passwordHash", u.password_author as "passwordAuthor",
      u.password_changed_at as "passwordChangedAt",
      u.is_password_change_required as "isChangeRequired", u.password_blocked_at as "blockedAt",
      u.failed_password_checks as "failedChecks", u.last_password_check_at as "lastCheckAt",
      u.sign_in_epoch as "signInEpoch"
    from users u join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.user_id = ${userId} and u.kind = 'human'`);
}

/**
 * Reserves one of the remaining guesses before anything is evaluated: with any number of concurrent guesses at most
 * `maximum` get through, any number when that is undefined. `isUnhurried`: not while the password rests after wrong
 * guesses. Returns the number of this guess and the hash to evaluate it against.
 */
export function reserveCheck(
  tx: Tx,
  userId: string,
  { maximum, isUnhurried }: { readonly maximum: number | undefined; readonly isUnhurried: boolean },
): Promise<{ guess: number; passwordHash: string } | undefined> {
  return tx.maybe(sql`update users
    set failed_password_checks = failed_password_checks + 1, last_password_check_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and password_hash is not null
      and password_blocked_at is null and failed_password_checks < ${maximum ?? Number.MAX_SAFE_INTEGER}
      ${isUnhurried ? hasRested(tx.now) : text("")} and state in ('active', 'initial')
    ${inTurn(tx, "alone", "user", userId)} returning failed_password_checks as "guess", password_hash as "passwordHash"`);
}

function hasRested(now: number): Sql {
  const cases = guessDelays.map(
    ({ failures, milliseconds }) =>
      sql`when failed_password_checks >= ${failures} then last_password_check_at <= ${now - milliseconds}`,
  );
  return sql`and (last_password_check_at is null or case ${join(cases, " ")} else 1 = 1 end)`;
}

/**
 * Resets the count of wrong guesses after a right one, and stores a newer hash when there is one. Refused when the
 * password has changed.
 */
export async function updateAfterRightCheck(
  tx: Tx,
  userId: string,
  hashes: { readonly checked: string; readonly newer: string },
): Promise<boolean> {
  const count = await tx.run(sql`update users set failed_password_checks = 0, password_hash = ${hashes.newer}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and password_hash = ${hashes.checked}
      and password_blocked_at is null
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0;
}

/** Blocks the password after too many wrong guesses. Returns whether it was not blocked before. */
export async function updatePasswordBlocked(tx: Tx, userId: string): Promise<boolean> {
  const count = await tx.run(sql`update users set password_blocked_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and password_blocked_at is null
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0;
}

/**
 * Sets the password and resets the count of wrong guesses. With `formerHash`, only while the password is still the one
 * that was proven.
 */
export async function updatePassword(
  tx: Tx,
  userId: string,
  password: {
    readonly hash: string;
    readonly author: string;
    readonly isChangeRequired: boolean;
    readonly formerHash?: string | undefined;
  },
): Promise<boolean> {
  const unchanged = password.formerHash === undefined ? sql`` : sql`and password_hash = ${password.formerHash}`;
  const count =
    await tx.run(sql`update users set password_hash = ${password.hash}, password_author = ${password.author},
      password_changed_at = ${tx.now},
      is_password_change_required = ${password.isChangeRequired}, failed_password_checks = 0, password_blocked_at = null
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = 'human' ${unchanged}
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0;
}
