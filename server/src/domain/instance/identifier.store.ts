import { type Reader, sql, type Tx } from "../../database/index.ts";

/** Inserts the identifier; false when it was ever given in this instance. */
export async function insertIdentifier(
  tx: Tx,
  { identifier, kind }: { readonly identifier: string; readonly kind: string },
): Promise<boolean> {
  const count = await tx.run(sql`insert into identifiers (instance_id, identifier, kind)
    values (${tx.instanceId}, ${identifier}, ${kind}) on conflict do nothing`);
  return count > 0;
}

/** Whether an identifier was ever given in the instance. */
export async function isIdentifierGiven(reader: Reader, instanceId: string, identifier: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from identifiers
    where instance_id = ${instanceId} and identifier = ${identifier}`);
  return row !== undefined;
}
