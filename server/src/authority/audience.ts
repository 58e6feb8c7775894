import { scopeValues } from "./scope.ts";

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
