import { sql, type Tx } from "../../database/index.ts";

/** Remembers an assertion until it expires. Returns false when it was used before. */
export async function insertUsedAssertion(
  tx: Tx,
  assertion: { kind: string; issuer: string; assertionHash: string; expiresAt: number },
): Promise<boolean> {
  const count = await tx.run(sql`insert into used_assertions (instance_id, kind, issuer, assertion_hash, expires_at)
    values (${tx.instanceId}, ${assertion.kind}, ${assertion.issuer}, ${assertion.assertionHash}, ${assertion.expiresAt})
    on conflict do nothing`);
  return count > 0;
}
