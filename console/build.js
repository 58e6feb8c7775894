// Called after npm ci: builds the console. An installation without development packages has no bundler, and its package
// of the console contains what was built. The server answers without the console, so a failure does not stop the
// installation.
import process from "node:process";

const root = import.meta.dirname;

try {
  const { build } = await import("vite");
  const started = performance.now();
  await build({ root, logLevel: "warn" });
  process.stdout.write(`console built in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
} catch (error) {
  const isWithoutBundler = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  if (!isWithoutBundler) {
    process.stderr.write(`the console was not built: ${String(error)}\n`);
    if (process.env.CI !== undefined) process.exitCode = 1;
  }
}
