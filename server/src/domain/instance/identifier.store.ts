import { sql, type Tx } from "../../database/index.ts";

/** Inserts the identifier; false when it was ever given in this instance. */
export async function insertIdentifier(
  tx: Tx,
  { identifier, kind }: { readonly identifier: string; readonly kind: string },
): Promise<boolean> {
  const count = await tx.run(sql`insert into identifiers (instance_id, identifier, kind)
    values (${tx.instanceId}, ${identifier}, ${kind}) on conflict do nothing`);
  return count > 0;
}
