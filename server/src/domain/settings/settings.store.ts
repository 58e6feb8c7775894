import { type Details, list, type Reader, rowLock, sql, type Tx } from "../../database/index.ts";

export interface StoredSettings {
  readonly kind: string;
  readonly document: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Lists every document of an organization, or of the instance itself when the organization id is empty. */
export function listStoredSettings(
  reader: Reader,
  instanceId: string,
  organizationId: string,
): Promise<StoredSettings[]> {
  return reader.all<StoredSettings>(sql`select kind, document, sequence, created_at as "createdAt", changed_at as "changedAt"
    from settings where instance_id = ${instanceId} and organization_id = ${organizationId}`);
}

function findStoredSettings(
  reader: Reader,
  instanceId: string,
  key: { organizationId: string; kind: string },
): Promise<StoredSettings | undefined> {
  return reader.maybe<StoredSettings>(sql`select kind, document, sequence, created_at as "createdAt", changed_at as "changedAt"
    from settings
    where instance_id = ${instanceId} and organization_id = ${key.organizationId} and kind = ${key.kind}`);
}

/** Lists the rows of an organization, or of the instance, of some kinds. */
export function listStoredKinds(
  reader: Reader,
  instanceId: string,
  key: { organizationId: string; kinds: readonly string[] },
): Promise<StoredSettings[]> {
  return reader.all<StoredSettings>(sql`select kind, document, sequence, created_at as "createdAt", changed_at as "changedAt"
    from settings
    where instance_id = ${instanceId} and organization_id = ${key.organizationId} and kind in ${list(key.kinds)}`);
}

/** Like `findStoredSettings`; the document is locked against changes by others until the unit of work ends. */
export function lockStoredSettings(
  tx: Tx,
  key: { organizationId: string; kind: string },
): Promise<StoredSettings | undefined> {
  return tx.maybe<StoredSettings>(sql`select kind, document, sequence, created_at as "createdAt", changed_at as "changedAt"
    from settings
    where instance_id = ${tx.instanceId} and organization_id = ${key.organizationId} and kind = ${key.kind}
    ${rowLock(tx, "alone")}`);
}

/**
 * Finds the document of the instance that an organization is about to copy. It is not held: the copy does not change
 * with it, and a tenant must not keep others from it.
 */
export const findSettingsToCopy = (tx: Tx, kind: string): Promise<StoredSettings | undefined> =>
  findStoredSettings(tx, tx.instanceId, { organizationId: "", kind });

export async function putStoredSettings(
  tx: Tx,
  settings: { organizationId: string; kind: string; document: string; sequence: number },
): Promise<StoredSettings> {
  const row =
    await tx.maybe<StoredSettings>(sql`insert into settings (instance_id, organization_id, kind, document, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${settings.organizationId}, ${settings.kind}, ${settings.document}, ${settings.sequence},
      ${tx.now}, ${tx.now})
    on conflict (instance_id, organization_id, kind) do update
      set document = excluded.document, sequence = excluded.sequence, changed_at = excluded.changed_at
    returning kind, document, sequence, created_at as "createdAt", changed_at as "changedAt"`);
  return row as StoredSettings;
}

/** What the login names of an organization are formed with. */
export interface NamedOrganization {
  readonly organizationId: string;
  readonly primaryDomain: string;
}

/** Lists organizations that have no document of a kind, and so follow the instance, unless they are being deleted. */
export function listFollowers(tx: Tx, kind: string): Promise<NamedOrganization[]> {
  return tx.all(sql`select o.organization_id as "organizationId", o.primary_domain as "primaryDomain" from organizations o
    where o.instance_id = ${tx.instanceId} and o.deletion is null and not exists (select 1 from settings s
      where s.instance_id = ${tx.instanceId} and s.organization_id = o.organization_id and s.kind = ${kind}) order by o.organization_id`);
}

/** Removes the document of an organization. Returns whether there was one. */
export async function deleteStoredSettings(tx: Tx, key: { organizationId: string; kind: string }): Promise<boolean> {
  const count = await tx.run(sql`delete from settings
    where instance_id = ${tx.instanceId} and organization_id = ${key.organizationId} and kind = ${key.kind}`);
  return count > 0;
}

/** Removes every document of an organization that is being deleted. */
export async function deleteSettingsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`delete from settings where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
}

export const toDetails = ({ sequence, createdAt, changedAt }: StoredSettings, ownerId: string): Details => ({
  sequence,
  createdAt,
  changedAt,
  ownerId,
});
