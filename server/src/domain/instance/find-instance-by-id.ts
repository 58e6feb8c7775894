import { createCache, type Database } from "../../database/index.ts";
import { findInstance } from "./instance.store.ts";
import type { Instance } from "./instance.ts";

/** Finds the instance with an id; synchronous when it is cached. */
export type FindInstanceById = (instanceId: string) => Instance | undefined | Promise<Instance | undefined>;

/** Finds instances by id. Every event of an instance or its limits invalidates its cached entry. */
export function createFindInstanceById(deps: { readonly database: Database }): FindInstanceById {
  const instances = createCache<Instance>(deps.database, {
    load: (instanceId) => findInstance(deps.database.read, instanceId),
    aggregateTypes: ["instance", "limits"],
    isStaleAfter: (event, instance) => event.instanceId === instance.instanceId,
    lengthOf: "bounded",
  });
  return (instanceId) => instances.get(instanceId);
}
