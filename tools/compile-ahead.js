// Called after npm ci: compiles the sources, so that the first start is as fast as every later one. Nothing depends on it.
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");

try {
  const { keepCompiled } = await import("../server/bin/keep-compiled.js");
  keepCompiled();
  for (const file of globSync("server/src/**/*.ts", { cwd: root, exclude: ["server/src/main.ts"] })) {
    if (!file.endsWith(".worker.ts")) await import(pathToFileURL(join(root, file)).href);
  }
} catch (error) {
  console.error(`compiling ahead was left out: ${String(error)}`);
}
