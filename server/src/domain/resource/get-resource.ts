import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findResource } from "./resource.store.ts";
import { type Resource, resourceAbsence } from "./resource.ts";

/** Returns a resource, for callers who may read its project. */
export async function getResource(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly resourceId: string },
): Promise<Resource> {
  const resource = await findResource(deps.database.read, call.instanceId, input.resourceId);
  authorize(call, resource, { permission: resourceAbsence.readPermission, ...resourceAbsence });
  return resource;
}
