import type { Client } from "../domain/application/index.ts";
import { audienceOfResources } from "./resource.ts";
import { scopeValues } from "./scope.ts";

/**
 * Audience of a user's tokens: the client first, what its project adds (the other applications and the project, so that introspection between
 * them works, unless the client is configured to stand alone), and the projects that scopes ask for.
 */
export function audienceOfClient(client: Client, scope: ReadonlySet<string>, systemProjectId: string): string[] {
  return [...new Set([client.clientId, ...client.audience, ...audienceOfScope(scope, systemProjectId)])];
}

/**
 * Audience of a user's tokens for the resources that the client named (RFC 8707 §2): these, the client and the projects that scopes ask for, but
 * not what the project would add. Without resources the usual one.
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

/** Projects that scopes `…:project:id:{id}:aud` ask for; the namespace word stands for the built-in system project. */
export function audienceOfScope(scope: ReadonlySet<string>, systemProjectId: string): string[] {
  return scopeValues(scope, "org:project:id:")
    .filter((rest) => rest.endsWith(":aud"))
    .map((rest) => rest.slice(0, -":aud".length))
    .map((projectId) => (projectId === "service" ? systemProjectId : projectId));
}
