export {
  type AudienceResource,
  listAudienceResources,
  listResourceOwners,
  mayIntrospect,
} from "./audience-resource.store.ts";
export { removeResourcesOfProject } from "./delete-resource.ts";
export { parseResourceUri } from "./resource-uri.ts";
