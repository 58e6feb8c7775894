import { text } from "../../database/index.ts";
import type { Resource, ResourceScope, ResourceState, ResourceTokenFormat } from "./resource.ts";

/** Columns of a row of resources (without alias), named for `toResource`. */
export const resourceColumns = text(`resources.resource_id as "resourceId", resources.project_id as "projectId",
  resources.organization_id as "organizationId", resources.uri as "uri", resources.name as "name",
  resources.scopes as "scopes", resources.token_format as "tokenFormat",
  resources.access_token_lifetime as "accessTokenLifetime", resources.applications as "applications",
  resources.state as "state", resources.sequence as "sequence", resources.created_at as "createdAt",
  resources.changed_at as "changedAt"`);

export interface ResourceRow {
  readonly resourceId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly uri: string;
  readonly name: string;
  readonly scopes: string;
  readonly tokenFormat: ResourceTokenFormat;
  readonly accessTokenLifetime: number;
  readonly applications: string;
  readonly state: ResourceState;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toResource(row: ResourceRow): Resource {
  const { scopes, applications, sequence, createdAt, changedAt, ...rest } = row;
  return {
    ...rest,
    scopes: JSON.parse(scopes) as ResourceScope[],
    applicationIds: JSON.parse(applications) as string[],
    details: { sequence, createdAt, changedAt, ownerId: row.organizationId },
  };
}
