import { inTurn, type Reader, sql, type Tx } from "../../database/index.ts";

/** A deletion that is under way: what its events say of the caller, so that they say it also after a crash. */
export interface OrganizationDeletion {
  readonly begunAt: number;
  readonly requestId: string;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
}

/** Marks an organization as being deleted, unless it is marked. */
export async function putDeletion(tx: Tx, organizationId: string, deletion: OrganizationDeletion): Promise<void> {
  await tx.run(sql`update organizations set deletion = ${JSON.stringify(deletion)}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and deletion is null
    ${inTurn(tx, "alone", "organization", organizationId)}`);
}

/** Whether an organization is being deleted in batches. */
export async function isBeingDeleted(tx: Tx, organizationId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and deletion is not null`);
  return row !== undefined;
}

/** Lists organizations that are being deleted in batches, in random order: those that fail keep no others. */
export async function listDeletions(
  reader: Reader,
): Promise<(OrganizationDeletion & { readonly instanceId: string; readonly organizationId: string })[]> {
  const rows = await reader.all<{ instanceId: string; organizationId: string; deletion: string }>(
    sql`select instance_id as "instanceId", organization_id as "organizationId", deletion from organizations
      where deletion is not null order by random() limit 100`,
  );
  return rows.map(({ deletion, ...key }) => ({ ...key, ...(JSON.parse(deletion) as OrganizationDeletion) }));
}
