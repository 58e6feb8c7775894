import type { UpdateResourceRequest } from "@doorward/api/service/resource/v2/resource_operations_pb";
import {
  ResourceFieldName,
  type ResourceSearchFilter,
  ResourceTokenFormat as WireFormat,
  type ResourceScope as WireScope,
  ResourceState as WireState,
} from "@doorward/api/service/resource/v2/resource_pb";
import { ResourceService } from "@doorward/api/service/resource/v2/resource_service_pb";
import type { IdGenerator } from "../../../base/id.ts";
import type { Database } from "../../../database/index.ts";
import type { OriginOf } from "../../../domain/instance/index.ts";
import {
  createResource,
  deleteResource,
  getResource,
  listResources,
  type Resource,
  type ResourceFilter,
  type ResourceScope,
  type ResourceSearch,
  type ResourceUpdate,
  updateResource,
} from "../../../domain/resource/index.ts";
import {
  type Binding,
  bind,
  fromDuration,
  refuseFilter,
  toDuration,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** ResourceService. */
export const resourceMethods = (deps: {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly originOf: OriginOf;
}): Binding =>
  bind(ResourceService, {
    async createResource(call, request) {
      const { projectId, uri, name, applicationIds, accessTokenLifetime } = request;
      const resource = await createResource(deps, call, {
        projectId,
        uri,
        name,
        applicationIds,
        scopes: request.scopes.map(fromScope),
        tokenFormat: request.tokenFormat === WireFormat.JWT ? "jwt" : "opaque",
        accessTokenLifetime: accessTokenLifetime === undefined ? 0 : fromDuration(accessTokenLifetime),
      });
      return {
        id: resource.resourceId,
        uri: resource.uri,
        creationDate: toTimestamp(resource.details.createdAt),
      };
    },
    async getResource(call, { id: resourceId }) {
      return { resource: toMessage(await getResource(deps, call, { resourceId })) };
    },
    async listResources(call, { filters, pagination, sortingColumn }) {
      const requested = toPage(pagination);
      const { rows, total } = await listResources(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: orders[sortingColumn] ?? "created_at",
      });
      return { resources: rows.map(toMessage), pagination: toPagination(total, requested.page) };
    },
    async updateResource(call, request) {
      return { changeDate: toTimestamp((await updateResource(deps, call, toUpdate(request))).changedAt) };
    },
    async deleteResource(call, { id: resourceId }) {
      const { deletedAt } = await deleteResource(deps, call, { resourceId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });

const orders: Readonly<Record<number, ResourceSearch["orderBy"]>> = {
  [ResourceFieldName.ID]: "resource_id",
  [ResourceFieldName.NAME]: "name",
  [ResourceFieldName.CREATION_DATE]: "created_at",
  [ResourceFieldName.CHANGE_DATE]: "changed_at",
};

function toFilter({ filter }: ResourceSearchFilter, index: number): ResourceFilter {
  switch (filter.case) {
    case "resourceIds":
      return { by: "ids", resourceIds: filter.value.ids };
    case "projectId":
      return { by: "project", projectId: filter.value.id };
    case "organizationId":
      return { by: "organization", organizationId: filter.value.id };
    case "nameFilter":
      return { by: "name", method: toTextMethod(filter.value.method), name: filter.value.name };
    case "uriFilter":
      return { by: "uri", uri: filter.value.uri };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

const fromScope = ({ name, descriptions }: WireScope): ResourceScope => ({ name, descriptions });

function toUpdate(request: UpdateResourceRequest): ResourceUpdate {
  const { id: resourceId, name, scopes, tokenFormat, accessTokenLifetime, applications, state } = request;
  return {
    resourceId,
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: scopes.scopes.map(fromScope) }),
    ...(tokenFormat !== WireFormat.UNSPECIFIED && {
      tokenFormat: tokenFormat === WireFormat.JWT ? ("jwt" as const) : ("opaque" as const),
    }),
    ...(accessTokenLifetime !== undefined && { accessTokenLifetime: fromDuration(accessTokenLifetime) }),
    ...(applications !== undefined && { applicationIds: applications.applicationIds }),
    ...(state !== WireState.UNSPECIFIED && {
      state: state === WireState.ACTIVE ? ("active" as const) : ("inactive" as const),
    }),
  };
}

function toMessage(resource: Resource) {
  const { resourceId, projectId, organizationId, uri, name, applicationIds, accessTokenLifetime, details } = resource;
  return {
    id: resourceId,
    projectId,
    organizationId,
    uri,
    name,
    scopes: resource.scopes.map(({ name: scope, descriptions }) => ({
      name: scope,
      descriptions: { ...descriptions },
    })),
    tokenFormat: resource.tokenFormat === "jwt" ? WireFormat.JWT : WireFormat.OPAQUE,
    ...(accessTokenLifetime > 0 && { accessTokenLifetime: toDuration(accessTokenLifetime) }),
    applicationIds: [...applicationIds],
    state: resource.state === "active" ? WireState.ACTIVE : WireState.INACTIVE,
    creationDate: toTimestamp(details.createdAt),
    changeDate: toTimestamp(details.changedAt),
  };
}
