import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { OriginOf } from "../instance/index.ts";
import { holdAuthorizedProject } from "../project/index.ts";
import { checkResource } from "./check-resource.ts";
import { claimUri } from "./claim-uri.ts";
import { countResourcesOfProject, insertResource } from "./resource.store.ts";
import { type Resource, type ResourceSettings, resourceAggregate, resourcePayload } from "./resource.ts";

const mostOfProject = 100;

/** Registers a resource in a project. Refuses a URI that the organization may not have. */
export async function createResource(
  deps: { readonly database: Database; readonly newId: IdGenerator; readonly originOf: OriginOf },
  call: Call,
  input: ResourceSettings & { readonly projectId: string; readonly uri: string },
): Promise<Resource> {
  const issuer = await deps.originOf(call.instanceId);
  return deps.database.change(call, async (tx) => {
    // Alone, so that the count is right.
    const { projectId, organizationId } = await holdAuthorizedProject(tx, input.projectId, "project.write");
    await checkResource(tx, input, projectId);
    if ((await countResourcesOfProject(tx, projectId)) >= mostOfProject) {
      throw new Fault("failed_precondition", "resource.too_many", { values: { maximum: mostOfProject } });
    }
    const uri = await claimUri(tx, { uri: input.uri, organizationId, issuer });
    const resource = await insertResource(tx, { ...input, resourceId: deps.newId(), organizationId }, uri);
    if (resource === undefined) throw new Fault("already_exists", "resource.uri_taken", { field: "uri" });
    tx.record({
      type: "resource.created",
      ...resourceAggregate(resource),
      sequence: resource.details.sequence,
      payload: resourcePayload(resource),
    });
    return resource;
  });
}
