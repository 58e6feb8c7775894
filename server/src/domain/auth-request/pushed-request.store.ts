import { type EndedRows, type Reader, sql, type Tx, text } from "../../database/index.ts";

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

/** Requests that expired before the instant. */
export const expiredPushedRequests = (before: number): EndedRows => ({
  table: text("pushed_requests"),
  where: () => sql`expires_at < ${before}`,
});
