import { deleteBatch, type Reader, sql, type Tx, text } from "../../database/index.ts";

export async function insertPushedRequest(
  tx: Tx,
  request: { referenceHash: string; clientId: string; parameters: string; expiresAt: number },
): Promise<void> {
  await tx.run(sql`insert into pushed_requests (instance_id, reference_hash, client_id, parameters, created_at, expires_at)
    values (${tx.instanceId}, ${request.referenceHash}, ${request.clientId}, ${request.parameters}, ${tx.now}, ${request.expiresAt})`);
}

/** Finds a pushed request of the client that can be presented at this time. */
export async function findPushedParameters(
  reader: Reader,
  instanceId: string,
  key: { readonly referenceHash: string; readonly clientId: string; readonly now: number },
): Promise<string | undefined> {
  const row = await reader.maybe<{ parameters: string }>(sql`select parameters from pushed_requests
    where instance_id = ${instanceId} and reference_hash = ${key.referenceHash} and client_id = ${key.clientId}
      and expires_at > ${key.now}`);
  return row?.parameters;
}

/** Deletes a pushed request that was answered. */
export async function deletePushedRequest(tx: Tx, referenceHash: string): Promise<void> {
  await tx.run(sql`delete from pushed_requests
    where instance_id = ${tx.instanceId} and reference_hash = ${referenceHash}`);
}

/**
 * Step for the job that removes expired rows of all instances: deletes at most `limit` requests that expired before the
 * instant.
 */
export function deleteExpiredPushedRequests(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, reference_hash");
  return deleteBatch(tx, { table: text("pushed_requests"), key, where: sql`expires_at < ${before}`, limit });
}
