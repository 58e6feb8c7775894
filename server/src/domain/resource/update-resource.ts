import { isDeepStrictEqual } from "node:util";
import { authorize, type Call, holdForCaller } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { checkResource } from "./check-resource.ts";
import { holdableResource, updateResourceRow } from "./resource.store.ts";
import {
  type Resource,
  type ResourceSettings,
  type ResourceState,
  resourceAbsence,
  resourceAggregate,
  resourcePayload,
} from "./resource.ts";

/** What to change; absent members stay as they are. */
export interface ResourceUpdate extends Partial<ResourceSettings> {
  readonly resourceId: string;
  readonly state?: ResourceState;
}

/** Changes a resource, but never its URI. The current values change nothing. */
export async function updateResource(
  deps: { readonly database: Database },
  call: Call,
  input: ResourceUpdate,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const permission = "project.write";
    const resource = await holdForCaller(call, permission, holdableResource(tx, input.resourceId), (found) => {
      authorize(call, found, { permission, ...resourceAbsence });
      return found;
    });
    const wanted = { ...resource, ...input };
    if (isDeepStrictEqual(wanted, resource)) return resource.details;
    await checkResource(tx, onlyNew(wanted, resource), resource.projectId);
    const updated = await updateResourceRow(tx, wanted);
    if (updated === undefined) return resource.details;
    tx.record({
      type: "resource.updated",
      ...resourceAggregate(updated),
      sequence: updated.details.sequence,
      payload: resourcePayload(updated),
    });
    return updated.details;
  });
}

// What was right when it was set stays: an application may have been deleted since, or the instance's lifetime be
// shorter.
const onlyNew = (wanted: Resource, before: Resource): ResourceSettings => ({
  ...wanted,
  ...(wanted.accessTokenLifetime === before.accessTokenLifetime && { accessTokenLifetime: 0 }),
  ...(isDeepStrictEqual(wanted.applicationIds, before.applicationIds) && { applicationIds: [] }),
});
