import { registerHooks } from "node:module";

/**
 * Resolves the imports of one of our sources by another without asking the file system: every such import says the
 * whole relative path, and every source is a TypeScript module. Node itself looks for the real path of each file and
 * for the package that says what kind it is, which is a third of the processor time of a start.
 */
export function resolveSources() {
  registerHooks({
    resolve(specifier, context, next) {
      const isSource = specifier.startsWith(".") && specifier.endsWith(".ts") && context.parentURL !== undefined;
      if (!isSource) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: "module-typescript", shortCircuit: true };
    },
  });
}
