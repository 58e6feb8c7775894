import type { Client } from "../domain/application/index.ts";
import { audienceOfResources } from "./resource.ts";
import { scopeValues } from "./scope.ts";

/**
 * Returns the audience of a user's tokens: the client first, then what its project adds, then the projects that scopes
 * request. A project adds itself and its other applications, so that introspection between them works, unless the
 * client is configured to stand alone.
 */
export function audienceOfClient(client: Client, scope: ReadonlySet<string>, systemProjectId: string): string[] {
  return [...new Set([client.clientId, ...client.audience, ...audienceOfScope(scope, systemProjectId)])];
}

/**
 * Returns the audience of a user's tokens for the requested resources (RFC 8707 §2): these, the client and the projects
 * that scopes request, but not the additions of the project. Without resources it is the default audience.
 */
export function audienceFor(
  client: Client,
  scope: ReadonlySet<string>,
  resources: readonly string[],
  place: { readonly issuer: string; readonly systemProjectId: string },
): string[] {
  if (resources.length === 0) return audienceOfClient(client, scope, place.systemProjectId);
  const asked = audienceOfScope(scope, place.systemProjectId);
  return [...new Set([client.clientId, ...asked, ...audienceOfResources(resources, place)])];
}

/**
 * Returns the projects that scopes `…:project:id:{id}:aud` request; the namespace word stands for the built-in system
 * project.
 */
export function audienceOfScope(scope: ReadonlySet<string>, systemProjectId: string): string[] {
  return scopeValues(scope, "org:project:id:")
    .filter((rest) => rest.endsWith(":aud"))
    .map((rest) => rest.slice(0, -":aud".length))
    .map((projectId) => (projectId === "service" ? systemProjectId : projectId));
}
