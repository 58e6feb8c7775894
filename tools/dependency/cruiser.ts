import type * as DependencyCruiser from "dependency-cruiser";

let loaded: typeof DependencyCruiser | undefined;

/**
 * The dependency cruiser, able to read TypeScript. Throws when it is not: a checker that reads nothing passes
 * everything.
 */
export async function loadDependencyCruiser(): Promise<typeof DependencyCruiser> {
  if (loaded !== undefined) return loaded;
  loaded = await import("dependency-cruiser");
  const reader = loaded.getAvailableTranspilers().find(({ name }) => name === "typescript");
  if (reader?.available !== true) throw new Error("dependency-cruiser cannot read TypeScript: run npm ci");
  return loaded;
}
