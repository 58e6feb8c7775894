#!/usr/bin/env node
// JavaScript, because the first TypeScript file that is not found compiled brings the compiler with it: 15 MiB for as
// long as we run. Everything is imported after the check, because an older Node cannot even link it.
import { createRequire } from "node:module";

createRequire(import.meta.url)("./require-node.cjs");
const [{ keepCompiled }, { resolveSources }] = await Promise.all([
  import("./keep-compiled.js"),
  import("./resolve-sources.js"),
]);
keepCompiled();
resolveSources();
await import("../src/main.ts");
