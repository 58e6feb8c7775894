export {
  type AudienceResource,
  listAudienceResources,
  listResourceOwners,
  mayIntrospect,
} from "./audience-resource.store.ts";
export { createResource } from "./create-resource.ts";
export { deleteResource, removeResourcesOfProject } from "./delete-resource.ts";
export { getResource } from "./get-resource.ts";
export { listResources } from "./list-resources.ts";
export type { Resource, ResourceScope } from "./resource.ts";
export type { ResourceFilter, ResourceSearch } from "./resource-list.store.ts";
export { parseResourceUri } from "./resource-uri.ts";
export { type ResourceUpdate, updateResource } from "./update-resource.ts";
