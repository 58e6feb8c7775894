import { inTurn, sql, type Tx } from "../../database/index.ts";

export async function updateSecret(tx: Tx, userId: string, secretHash: string | null): Promise<void> {
  await tx.run(sql`update users set secret_hash = ${secretHash}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = 'machine'
    ${inTurn(tx, "alone", "user", userId)}`);
}
