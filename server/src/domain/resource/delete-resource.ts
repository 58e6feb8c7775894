import { authorizeDeletion, type Call, holdForCaller } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { deleteResourceRow, holdableResource, holdResourcesOfProject } from "./resource.store.ts";
import { type Resource, resourceAbsence, resourceAggregate, resourcePayload } from "./resource.ts";

/**
 * Deletes a resource; its URI stays claimed. Deleting an absent one succeeds, and no time is returned. Nothing
 * else depends on it: tokens and consents name it, and count only while it is there.
 */
export async function deleteResource(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly resourceId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const permission = "project.write";
    const resource = await holdForCaller(call, permission, holdableResource(tx, input.resourceId), (found) =>
      authorizeDeletion(call, found, { permission, ...resourceAbsence }) ? found : undefined,
    );
    if (resource === undefined) return {};
    await remove(tx, resource);
    return { deletedAt: tx.now };
  });
}

/** Step: deletes the resources of a project that is being deleted and locked exclusively. */
export async function removeResourcesOfProject(tx: Tx, projectId: string): Promise<void> {
  for (const resource of await holdResourcesOfProject(tx, projectId)) await remove(tx, resource);
}

async function remove(tx: Tx, resource: Resource): Promise<void> {
  const sequence = await deleteResourceRow(tx, resource.resourceId);
  if (sequence === undefined) return;
  tx.record({ type: "resource.deleted", ...resourceAggregate(resource), sequence, payload: resourcePayload(resource) });
}
