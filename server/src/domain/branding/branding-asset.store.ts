import { type Reader, sql, type Tx } from "../../database/index.ts";

/** A file as it is served. */
export interface StoredAsset {
  readonly contentType: string;
  /** Base64. */
  readonly content: string;
}

/** Stores a file of an organization, or of the instance when the id is empty. A file that is stored already stays. */
export async function insertAsset(
  tx: Tx,
  asset: StoredAsset & { readonly organizationId: string; readonly fileName: string },
): Promise<void> {
  await tx.run(sql`insert into branding_assets (instance_id, organization_id, file_name, content_type, content, created_at)
    values (${tx.instanceId}, ${asset.organizationId}, ${asset.fileName}, ${asset.contentType}, ${asset.content}, ${tx.now})
    on conflict (instance_id, organization_id, file_name) do nothing`);
}

/** Copies a file of the instance to an organization. */
export async function copyAssetOfInstance(
  tx: Tx,
  { organizationId, fileName }: { readonly organizationId: string; readonly fileName: string },
): Promise<void> {
  await tx.run(sql`insert into branding_assets (instance_id, organization_id, file_name, content_type, content, created_at)
    select a.instance_id, ${organizationId}, a.file_name, a.content_type, a.content, ${tx.now} from branding_assets a
    where a.instance_id = ${tx.instanceId} and a.organization_id = '' and a.file_name = ${fileName}
    on conflict (instance_id, organization_id, file_name) do nothing`);
}

/** Finds the file of this name, of any organization: the same name is the same content. */
export function findAsset(reader: Reader, instanceId: string, fileName: string): Promise<StoredAsset | undefined> {
  return reader.maybe<StoredAsset>(sql`select content_type as "contentType", content from branding_assets
    where instance_id = ${instanceId} and file_name = ${fileName} order by organization_id limit 1`);
}

/** Lists the names of the files that an organization stores, or the instance when the id is empty. */
export async function listAssetNames(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx.all<{ fileName: string }>(sql`select file_name as "fileName" from branding_assets
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} order by file_name`);
  return rows.map(({ fileName }) => fileName);
}

export async function deleteAsset(
  tx: Tx,
  { organizationId, fileName }: { readonly organizationId: string; readonly fileName: string },
): Promise<void> {
  await tx.run(sql`delete from branding_assets
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and file_name = ${fileName}`);
}

/** Removes the files of an organization that is being deleted, or that inherits from its instance again. */
export async function deleteAssetsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`delete from branding_assets
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
}
