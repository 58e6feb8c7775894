import { type EndedRows, sql, type Tx, text } from "../../database/index.ts";

/**
 * Counts an attempt from a source and returns its number since the count began. One statement, so that parallel
 * attempts are all counted.
 */
export async function countAttempt(
  tx: Tx,
  attempt: { readonly source: string; readonly window: number },
): Promise<number> {
  const row = await tx.maybe<{
    attempts: number;
  }>(sql`insert into device_attempts (instance_id, source, attempts, expires_at)
    values (${tx.instanceId}, ${attempt.source}, 1, ${tx.now + attempt.window})
    on conflict (instance_id, source) do update set
      attempts = case when device_attempts.expires_at > ${tx.now} then device_attempts.attempts + 1 else 1 end,
      expires_at = case when device_attempts.expires_at > ${tx.now} then device_attempts.expires_at else excluded.expires_at end
    returning attempts`);
  return row?.attempts ?? 1;
}

/** Takes an attempt out of the count, because it was right. */
export async function forgetAttempt(tx: Tx, source: string): Promise<void> {
  await tx.run(sql`update device_attempts set attempts = attempts - 1
    where instance_id = ${tx.instanceId} and source = ${source} and attempts > 0`);
}

/** Counts that ended before the instant. */
export const expiredDeviceAttempts = (before: number): EndedRows => ({
  table: text("device_attempts"),
  where: () => sql`expires_at < ${before}`,
});
