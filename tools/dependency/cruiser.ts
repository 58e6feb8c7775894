import { createRequire, registerHooks } from "node:module";
import type * as DependencyCruiser from "dependency-cruiser";

let loaded: typeof DependencyCruiser | undefined;

/** The dependency cruiser, able to read TypeScript. Throws when it is not: a checker that reads nothing passes everything. */
export async function loadDependencyCruiser(): Promise<typeof DependencyCruiser> {
  if (loaded !== undefined) return loaded;
  leadToTypeScript6();
  loaded = await import("dependency-cruiser");
  const reader = loaded.getAvailableTranspilers().find(({ name }) => name === "typescript");
  if (reader?.available !== true) throw new Error("dependency-cruiser cannot read TypeScript: run npm ci");
  return loaded;
}

// dependency-cruiser reads TypeScript with the compiler's JavaScript interface, which ended with version 6. The workspace
// is checked with version 7, beside which npm puts the cruiser, so it has to be led to the version 6 of tools/. The hook
// stays, because the cruiser loads its parts when it needs them.
function leadToTypeScript6(): void {
  const { resolve } = createRequire(import.meta.url);
  const ours = new Map([
    ["typescript", resolve("typescript")],
    ["typescript/package.json", resolve("typescript/package.json")],
  ]);
  registerHooks({
    resolve(specifier, context, next) {
      const isCruiser = context.parentURL?.includes("/node_modules/dependency-cruiser/") ?? false;
      return next(isCruiser ? (ours.get(specifier) ?? specifier) : specifier, context);
    },
  });
}
