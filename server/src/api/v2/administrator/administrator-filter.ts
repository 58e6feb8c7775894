import type { ResourceType } from "@doorward/api/service/internal_permission/v2/administrator_operations_pb";
import type { AdministratorSearchFilter, ResourceFilter } from "@doorward/api/service/internal_permission/v2/query_pb";
import { Fault } from "../../../base/fault.ts";
import type { AdministeredResource } from "../../../domain/administrator-access/index.ts";
import type { AdministratorFilter } from "../../../domain/administrator-search/index.ts";
import { refuseFilter, toInstantFilter, toTextMethod } from "../../contract/index.ts";

/** Converts a filter of the contract; `path` is its position in the request. */
export function toFilter({ filter }: AdministratorSearchFilter, path: string): AdministratorFilter {
  switch (filter.case) {
    case "creationDate":
      return { by: "created_at", ...toInstantFilter(filter.value) };
    case "changeDate":
      return { by: "changed_at", ...toInstantFilter(filter.value) };
    case "inUserIdsFilter":
      return { by: "user_ids", userIds: filter.value.ids };
    case "userOrganizationId":
      return { by: "user_organization", organizationId: filter.value.id };
    case "userPreferredLoginName":
      return {
        by: "login_name",
        method: toTextMethod(filter.value.method),
        text: filter.value.preferredLoginName,
      };
    case "userDisplayName":
      return { by: "display_name", method: toTextMethod(filter.value.method), text: filter.value.displayName };
    case "resource":
      return { by: "resource", resource: readResource(filter.value.resource) ?? refuseFilter(`${path}.resource`) };
    case "role":
      return { by: "role", role: filter.value.roleKey };
    case "and":
    case "or":
      return {
        by: filter.case,
        filters: filter.value.queries.map((inner, index) =>
          toFilter(inner, `${path}.${filter.case}.queries[${index}]`),
        ),
      };
    case "not":
      if (filter.value.query === undefined) return refuseFilter(`${path}.not.query`);
      return { by: "not", filter: toFilter(filter.value.query, `${path}.not.query`) };
    case undefined:
      return refuseFilter(path);
    default:
      return filter satisfies never;
  }
}

/** Reads the resource that a request names; undefined when it names none. Filters name it as the other requests do. */
function readResource(
  resource: ResourceFilter["resource"] | ResourceType["resource"] | undefined,
): AdministeredResource | undefined {
  switch (resource?.case) {
    case "instance":
      return { level: "instance" };
    case "organizationId":
      return { level: "organization", organizationId: resource.value };
    case "projectId":
      return { level: "project", projectId: resource.value };
    case "projectGrant": {
      const { projectId, organizationId, projectGrantId: grantId } = resource.value;
      if (grantId !== undefined) return { level: "project_grant", projectId, grantId };
      if (projectId === "" || organizationId === "") {
        throw new Fault("invalid_argument", "membership.resource_missing", { field: "resource.projectGrant" });
      }
      return { level: "project_grant", projectId, grantedOrganizationId: organizationId };
    }
    case undefined:
      return undefined;
    default:
      return resource satisfies never;
  }
}

/** Reads the resource that a request must name. */
export function requireResource(resource: ResourceType["resource"] | undefined): AdministeredResource {
  const read = readResource(resource);
  if (read === undefined) throw new Fault("invalid_argument", "membership.resource_missing", { field: "resource" });
  return read;
}
