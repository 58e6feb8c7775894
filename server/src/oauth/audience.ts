import type { Client } from "../domain/application/index.ts";
import { scopeValues } from "./scope.ts";

/**
 * Audience of a user's tokens: the client first, what its project adds (the other applications and the project, so that introspection between
 * them works, unless the client is configured to stand alone), and the projects that scopes ask for.
 */
export function audienceOfClient(client: Client, scope: ReadonlySet<string>, systemProjectId: string): string[] {
  return [...new Set([client.clientId, ...client.audience, ...audienceOfScope(scope, systemProjectId)])];
}

/** Projects that scopes `…:project:id:{id}:aud` ask for; the namespace word stands for the built-in system project. */
export function audienceOfScope(scope: ReadonlySet<string>, systemProjectId: string): string[] {
  return scopeValues(scope, "org:project:id:")
    .filter((rest) => rest.endsWith(":aud"))
    .map((rest) => rest.slice(0, -":aud".length))
    .map((projectId) => (projectId === "service" ? systemProjectId : projectId));
}
