import { canonicalName } from "../../base/names/canonical.ts";
import { type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { Resource, ResourceSettings } from "./resource.ts";
import { type ResourceRow, resourceColumns, toResource } from "./resource-row.ts";
import type { ResourceUri } from "./resource-uri.ts";

/** Finds the resource with this id, in any state. */
export async function findResource(
  reader: Reader,
  instanceId: string,
  resourceId: string,
): Promise<Resource | undefined> {
  const row = await reader.maybe<ResourceRow>(sql`select ${resourceColumns} from resources
    where instance_id = ${instanceId} and resource_id = ${resourceId}`);
  return row && toResource(row);
}

/** Returns the resource, locked until the unit of work ends. */
async function holdResource(tx: Tx, resourceId: string): Promise<Resource | undefined> {
  const row = await tx.maybe<ResourceRow>(sql`select ${resourceColumns} from resources
    where instance_id = ${tx.instanceId} and resource_id = ${resourceId} ${rowLock(tx, "alone")}`);
  return row && toResource(row);
}

/** Lists all resources of a project, locked. */
export async function holdResourcesOfProject(tx: Tx, projectId: string): Promise<Resource[]> {
  const rows = await tx.all<ResourceRow>(sql`select ${resourceColumns} from resources
    where instance_id = ${tx.instanceId} and project_id = ${projectId}
    order by resource_id ${rowLock(tx, "alone")}`);
  return rows.map(toResource);
}

/** Counts the resources of a project. */
export async function countResourcesOfProject(tx: Tx, projectId: string): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from resources
    where instance_id = ${tx.instanceId} and project_id = ${projectId}`);
  return Number(row?.count ?? 0);
}

/** Inserts an active resource; undefined when its URI is taken. */
export async function insertResource(
  tx: Tx,
  resource: ResourceSettings & Pick<Resource, "resourceId" | "projectId" | "organizationId">,
  { uri, key }: Pick<ResourceUri, "uri" | "key">,
): Promise<Resource | undefined> {
  const row =
    await tx.maybe<ResourceRow>(sql`insert into resources (instance_id, resource_id, project_id, organization_id, uri,
      uri_key, name, name_key, scopes, token_format, access_token_lifetime, applications, state, sequence, created_at,
      changed_at)
    values (${tx.instanceId}, ${resource.resourceId}, ${resource.projectId}, ${resource.organizationId}, ${uri}, ${key},
      ${resource.name}, ${canonicalName(resource.name)}, ${JSON.stringify(resource.scopes)}, ${resource.tokenFormat},
      ${resource.accessTokenLifetime}, ${JSON.stringify(resource.applicationIds)}, 'active',
      1, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${resourceColumns}`);
  return row && toResource(row);
}

/** Replaces settings and state. */
export async function updateResourceRow(
  tx: Tx,
  resource: ResourceSettings & Pick<Resource, "resourceId" | "state">,
): Promise<Resource | undefined> {
  const row = await tx.maybe<ResourceRow>(sql`update resources set name = ${resource.name},
      name_key = ${canonicalName(resource.name)}, scopes = ${JSON.stringify(resource.scopes)},
      token_format = ${resource.tokenFormat}, access_token_lifetime = ${resource.accessTokenLifetime},
      applications = ${JSON.stringify(resource.applicationIds)}, state = ${resource.state}, sequence = sequence + 1,
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and resource_id = ${resource.resourceId} returning ${resourceColumns}`);
  return row && toResource(row);
}

/** Deletes a resource, and returns the sequence of the deletion. */
export async function deleteResourceRow(tx: Tx, resourceId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`delete from resources
    where instance_id = ${tx.instanceId} and resource_id = ${resourceId} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

/** How a unit of work finds a resource, and how it locks it. */
export const holdableResource = (tx: Tx, resourceId: string) => ({
  find: () => findResource(tx, tx.instanceId, resourceId),
  hold: () => holdResource(tx, resourceId),
});
