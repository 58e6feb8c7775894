// Called after npm ci: compiles the sources, so that the first start is as fast as every later one. Nothing depends on
// it.
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");

try {
  const { keepCompiled } = await import("../server/bin/keep-compiled.js");
  keepCompiled();
  // The main file runs when it is loaded, so it is started with a harmless command.
  execFileSync(process.execPath, [join(root, "server/bin/doorward.js"), "--version"], { stdio: "ignore" });
  for (const file of globSync("server/src/**/*.ts", { cwd: root, exclude: ["server/src/main.ts"] })) {
    if (!file.endsWith(".worker.ts")) await import(pathToFileURL(join(root, file)).href);
  }
} catch (error) {
  console.error(`compiling ahead was left out: ${String(error)}`);
}
