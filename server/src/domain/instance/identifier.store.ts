import { join, list, type Reader, rowsTogether, sql, type Tx } from "../../database/index.ts";

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

/** Inserts identifiers of one kind, and returns how many were free. */
export async function insertIdentifiers(
  tx: Tx,
  { identifiers, kind }: { readonly identifiers: readonly string[]; readonly kind: string },
): Promise<number> {
  let count = 0;
  for (const together of rowsTogether(identifiers)) {
    const rows = together.map((identifier) => sql`(${tx.instanceId}, ${identifier}, ${kind})`);
    count += await tx.run(sql`insert into identifiers (instance_id, identifier, kind)
      values ${join(rows, ", ")} on conflict do nothing`);
  }
  return count;
}

/** Returns those of the identifiers that were ever given in the instance. */
export async function listStoredIdentifiers(
  reader: Reader,
  instanceId: string,
  identifiers: readonly string[],
): Promise<readonly string[]> {
  const rows = await reader.all<{ identifier: string }>(sql`select identifier from identifiers
    where instance_id = ${instanceId} and identifier in ${list(identifiers)}`);
  return rows.map(({ identifier }) => identifier);
}
