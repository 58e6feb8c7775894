import { list, type Reader, rowLock, sql, type Tx } from "../../database/index.ts";

interface ProvidersAt {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

const usableAt = (instanceId: string, { organizationId, ids }: ProvidersAt) =>
  sql`instance_id = ${instanceId} and state = 'active' and identity_provider_id in ${list(ids)}
    and organization_id in ('', ${organizationId})`;

/** Returns whether one of the providers is active and may be used in the scope. */
export async function hasActiveProvider(reader: Reader, instanceId: string, at: ProvidersAt): Promise<boolean> {
  if (at.ids.length === 0) return false;
  const row = await reader.maybe<{ found: number }>(
    sql`select 1 as "found" from identity_providers where ${usableAt(instanceId, at)} limit 1`,
  );
  return row !== undefined;
}

/**
 * The same; the providers of the scope itself stay as they are until the unit of work ends. Those of the instance are
 * not held for an organization, whose settings do not keep the instance from closing them.
 */
export async function holdActiveProvider(tx: Tx, at: ProvidersAt): Promise<boolean> {
  if (at.ids.length === 0) return false;
  const rows = await tx.all<{ found: number }>(
    sql`select 1 as "found" from identity_providers where ${usableAt(tx.instanceId, at)}
      and organization_id = ${at.organizationId} order by identity_provider_id ${rowLock(tx, "share")}`,
  );
  return rows.length > 0 || (at.organizationId !== "" && (await hasActiveProvider(tx, tx.instanceId, at)));
}

/** A document of login settings, with its owner. */
export interface OwnedLoginSettings {
  readonly instanceId: string;
  /** Empty for the instance itself. */
  readonly organizationId: string;
  readonly document: string;
}

/** Lists every document of login settings, of all instances and organizations. */
export const listLoginSettings = (reader: Reader): Promise<OwnedLoginSettings[]> =>
  reader.all<OwnedLoginSettings>(sql`select instance_id as "instanceId", organization_id as "organizationId", document
    from settings where kind = 'login' order by instance_id, organization_id`);
