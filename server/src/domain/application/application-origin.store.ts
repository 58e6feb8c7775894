import { join, list, type Reader, sql, type Tx } from "../../database/index.ts";

interface Owner {
  readonly applicationId: string;
  readonly organizationId: string;
}

/** Inserts the origins of an application, except those that it has already. */
export function insertOrigins(tx: Tx, { applicationId, organizationId }: Owner, origins: readonly string[]): void {
  const rows = origins.map((origin) => sql`(${tx.instanceId}, ${applicationId}, ${origin}, ${organizationId})`);
  const last = rows.at(-1);
  if (last === undefined) return;
  // Filled up to a power of two, so that any number of rows makes few different statements.
  while ((rows.length & (rows.length - 1)) !== 0) rows.push(last);
  tx.write(sql`insert into application_origins (instance_id, application_id, origin, organization_id)
    values ${join(rows, ", ")} on conflict do nothing`);
}

/** Deletes the origins of an application, except these. */
export function deleteOrigins(tx: Tx, applicationId: string, kept: readonly string[]): void {
  tx.write(sql`delete from application_origins where instance_id = ${tx.instanceId}
    and application_id = ${applicationId} and origin not in ${list(kept.length === 0 ? [""] : kept)}`);
}

/** Whether the client of an application registered itself. */
export async function isRegistered(reader: Reader, instanceId: string, applicationId: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from registrations
    where instance_id = ${instanceId} and application_id = ${applicationId}`);
  return row !== undefined;
}
