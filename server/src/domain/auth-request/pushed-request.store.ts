import { deleteBatch, sql, type Tx, text } from "../../database/index.ts";

export async function insertPushedRequest(
  tx: Tx,
  request: { referenceHash: string; clientId: string; parameters: string; expiresAt: number },
): Promise<void> {
  await tx.run(sql`insert into pushed_requests (instance_id, reference_hash, client_id, parameters, created_at, expires_at)
    values (${tx.instanceId}, ${request.referenceHash}, ${request.clientId}, ${request.parameters}, ${tx.now}, ${request.expiresAt})`);
}

/** Consumes a pushed request of the client: the statement decides who gets it. */
export async function consumePushedRequest(
  tx: Tx,
  key: { readonly referenceHash: string; readonly clientId: string },
): Promise<string | undefined> {
  const row = await tx.maybe<{ parameters: string }>(sql`delete from pushed_requests
    where instance_id = ${tx.instanceId} and reference_hash = ${key.referenceHash} and client_id = ${key.clientId}
      and expires_at > ${tx.now}
    returning parameters`);
  return row?.parameters;
}

/**
 * Step for the job that removes expired rows of all instances: deletes at most `limit` requests that expired before the
 * instant.
 */
export function deleteExpiredPushedRequests(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, reference_hash");
  return deleteBatch(tx, { table: text("pushed_requests"), key, where: sql`expires_at < ${before}`, limit });
}
