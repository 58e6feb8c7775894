import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";

export type ResourceState = "active" | "inactive";

/** `jwt`: the resource may read its tokens itself (RFC 9068). */
export type ResourceTokenFormat = "opaque" | "jwt";

/** A scope that means something at one resource. */
export interface ResourceScope {
  readonly name: string;
  /** What a client can do with it, for people, by language. */
  readonly descriptions: Readonly<Record<string, string>>;
}

/** What can be changed of a resource. */
export interface ResourceSettings {
  readonly name: string;
  readonly scopes: readonly ResourceScope[];
  readonly tokenFormat: ResourceTokenFormat;
  /** Seconds; 0 for that of the instance. */
  readonly accessTokenLifetime: number;
  /** Ids of the API applications that may introspect tokens for it; all of its project when empty. */
  readonly applicationIds: readonly string[];
}

/** Something that takes access tokens (RFC 8707): an API, an MCP server. */
export interface Resource extends Scope, ResourceSettings {
  readonly resourceId: string;
  readonly projectId: string;
  /** Owner of the project. */
  readonly organizationId: string;
  /** As it is in the audience of tokens. */
  readonly uri: string;
  readonly state: ResourceState;
  readonly details: Details;
}

/** What an operation on an existing resource needs besides its own permission. */
export const resourceAbsence = { readPermission: "project.read", absent: "resource.not_found" } as const;

/** The event aggregate of a resource. */
export const resourceAggregate = ({ resourceId, organizationId }: Pick<Resource, "resourceId" | "organizationId">) =>
  ({ aggregateType: "resource", aggregateId: resourceId, ownerId: organizationId }) as const;

/** What events record of a resource. */
export const resourcePayload = (resource: Resource) => ({
  projectId: resource.projectId,
  uri: resource.uri,
  name: resource.name,
  scopes: resource.scopes,
  tokenFormat: resource.tokenFormat,
  accessTokenLifetime: resource.accessTokenLifetime,
  applicationIds: resource.applicationIds,
  state: resource.state,
});
