import { deleteAll, type EndedRows, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { OneTimeSecretKind } from "./one-time-secret.ts";

/** A secret as it is stored, without anything that would allow using it. */
export interface OneTimeSecret {
  readonly bound: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly consumedAt: number | null;
}

export async function upsertOneTimeSecret(
  tx: Tx,
  secret: { kind: OneTimeSecretKind; subjectId: string; secretHash: string; bound: string; expiresAt: number },
): Promise<void> {
  await tx.run(sql`insert into one_time_secrets (instance_id, kind, subject_id, secret_hash, bound, failed_attempts, created_at,
      expires_at, consumed_at)
    values (${tx.instanceId}, ${secret.kind}, ${secret.subjectId}, ${secret.secretHash}, ${secret.bound}, 0, ${tx.now},
      ${secret.expiresAt}, null)
    on conflict (instance_id, kind, subject_id) do update set secret_hash = excluded.secret_hash, bound = excluded.bound,
      failed_attempts = 0, created_at = excluded.created_at, expires_at = excluded.expires_at, consumed_at = null`);
}

/**
 * Uses one statement, so that parallel guesses wait for one another: the right one wins once, each wrong one is
 * counted.
 */
export function redeemOrCount(
  tx: Tx,
  guess: { kind: OneTimeSecretKind; subjectId: string; secretHash: string; maximumFailedAttempts: number },
): Promise<{ isRedeemed: number; bound: string } | undefined> {
  return tx.maybe(sql`update one_time_secrets
    set consumed_at = case when secret_hash = ${guess.secretHash} then cast(${tx.now} as bigint) end,
      failed_attempts = failed_attempts + case when secret_hash = ${guess.secretHash} then 0 else 1 end
    where instance_id = ${tx.instanceId} and kind = ${guess.kind} and subject_id = ${guess.subjectId}
      and consumed_at is null and expires_at > ${tx.now} and failed_attempts < ${guess.maximumFailedAttempts}
    returning case when consumed_at is null then 0 else 1 end as "isRedeemed", bound`);
}

/** The same without consuming the secret: tells whether the guess is right. A wrong guess is counted. */
export function checkOrCount(
  tx: Tx,
  guess: { kind: OneTimeSecretKind; subjectId: string; secretHash: string; maximumFailedAttempts: number },
): Promise<{ isRight: number } | undefined> {
  return tx.maybe(sql`update one_time_secrets
    set failed_attempts = failed_attempts + case when secret_hash = ${guess.secretHash} then 0 else 1 end
    where instance_id = ${tx.instanceId} and kind = ${guess.kind} and subject_id = ${guess.subjectId}
      and consumed_at is null and expires_at > ${tx.now} and failed_attempts < ${guess.maximumFailedAttempts}
    returning case when secret_hash = ${guess.secretHash} then 1 else 0 end as "isRight"`);
}

/**
 * Occupies a kind and subject with a row that no secret matches, unless they are occupied. One statement, so that one
 * of several concurrent callers wins.
 */
export async function occupySubject(
  tx: Tx,
  subject: { readonly kind: OneTimeSecretKind; readonly subjectId: string; readonly expiresAt: number },
): Promise<boolean> {
  const count =
    await tx.run(sql`insert into one_time_secrets (instance_id, kind, subject_id, secret_hash, bound, failed_attempts, created_at,
      expires_at, consumed_at)
    values (${tx.instanceId}, ${subject.kind}, ${subject.subjectId}, '', '{}', 0, ${tx.now}, ${subject.expiresAt}, ${tx.now})
    on conflict (instance_id, kind, subject_id) do update set created_at = excluded.created_at, expires_at = excluded.expires_at
      where one_time_secrets.expires_at <= excluded.created_at`);
  return count === 1;
}

/**
 * Stores a row that no secret matches and that takes guesses like any other, unless there is one that was made after an
 * instant.
 */
export async function putUnmatched(
  tx: Tx,
  subject: { readonly kind: OneTimeSecretKind; readonly subjectId: string; readonly expiresAt: number },
  after: number,
): Promise<void> {
  await tx.run(sql`insert into one_time_secrets (instance_id, kind, subject_id, secret_hash, bound, failed_attempts, created_at,
      expires_at, consumed_at)
    values (${tx.instanceId}, ${subject.kind}, ${subject.subjectId}, '', '{}', 0, ${tx.now}, ${subject.expiresAt}, null)
    on conflict (instance_id, kind, subject_id) do update set secret_hash = excluded.secret_hash, failed_attempts = 0,
      created_at = excluded.created_at, expires_at = excluded.expires_at
      where one_time_secrets.created_at <= ${after}`);
}

/** Whether it is the secret that was redeemed, at the instant or later. */
export async function isRedeemedSecret(
  reader: Reader,
  instanceId: string,
  secret: {
    readonly kind: OneTimeSecretKind;
    readonly subjectId: string;
    readonly secretHash: string;
    readonly since: number;
  },
): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from one_time_secrets
    where instance_id = ${instanceId} and kind = ${secret.kind} and subject_id = ${secret.subjectId}
      and secret_hash = ${secret.secretHash} and consumed_at >= ${secret.since}`);
  return row !== undefined;
}

/** Whether the secret of a digest is stored, consumed or not: nothing has deleted or replaced it since. */
export async function isStoredSecret(
  reader: Reader,
  { instanceId, kind, subjectId }: { readonly instanceId: string; kind: OneTimeSecretKind; readonly subjectId: string },
  secretHash: string,
): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from one_time_secrets
    where instance_id = ${instanceId} and kind = ${kind} and subject_id = ${subjectId} and secret_hash = ${secretHash}`);
  return row !== undefined;
}

/** Finds the newest secret of a kind and subject, including used and expired ones. */
export async function findOneTimeSecret(
  reader: Reader,
  instanceId: string,
  subject: { readonly kind: OneTimeSecretKind; readonly subjectId: string },
): Promise<OneTimeSecret | undefined> {
  const row = await reader.maybe<
    Omit<OneTimeSecret, "bound"> & { bound: string }
  >(sql`select bound, created_at as "createdAt",
      expires_at as "expiresAt", consumed_at as "consumedAt"
    from one_time_secrets where instance_id = ${instanceId} and kind = ${subject.kind} and subject_id = ${subject.subjectId}`);
  return row && { ...row, bound: JSON.parse(row.bound) as Record<string, string> };
}

/** Deletes secrets of a subject because what they were bound to has changed. */
export async function deleteOneTimeSecrets(
  tx: Tx,
  subjectId: string,
  kinds: readonly OneTimeSecretKind[],
): Promise<number> {
  return tx.run(sql`delete from one_time_secrets
    where instance_id = ${tx.instanceId} and subject_id = ${subjectId} and kind in ${list(kinds)}`);
}

/** Deletes every secret of subjects that are being deleted, or of a user whose account begins. */
export function deleteAllOneTimeSecrets(tx: Tx, subjectIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and subject_id in ${list(subjectIds)}`;
  return deleteAll(tx, { table: text("one_time_secrets"), where });
}

/** Secrets that expired before the instant. */
export const expiredOneTimeSecrets = (before: number): EndedRows => ({
  table: text("one_time_secrets"),
  where: () => sql`expires_at < ${before}`,
});
