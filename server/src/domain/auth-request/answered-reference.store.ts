import { type EndedRows, type Reader, sql, type Tx, text } from "../../database/index.ts";

/** Records that the request of a reference was answered. Returns false when it was answered before, on any node. */
export async function insertAnsweredReference(
  tx: Tx,
  reference: { readonly referenceHash: string; readonly expiresAt: number },
): Promise<boolean> {
  const count = await tx.run(sql`insert into answered_references (instance_id, reference_hash, expires_at)
    values (${tx.instanceId}, ${reference.referenceHash}, ${reference.expiresAt})
    on conflict do nothing`);
  return count > 0;
}

/** Whether a request of the reference was answered. Only for an early error: `insertAnsweredReference` decides. */
export async function isReferenceAnswered(reader: Reader, instanceId: string, referenceHash: string): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from answered_references
    where instance_id = ${instanceId} and reference_hash = ${referenceHash}`);
  return row !== undefined;
}

/** References that expired before the instant. */
export const expiredReferences = (before: number): EndedRows => ({
  table: text("answered_references"),
  where: () => sql`expires_at < ${before}`,
});
