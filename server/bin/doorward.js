#!/usr/bin/env node
// JavaScript, because the first TypeScript file that is not found compiled brings the compiler with it: 15 MiB for as
// long as we run.
import { keepCompiled } from "./keep-compiled.js";
import { resolveSources } from "./resolve-sources.js";

keepCompiled();
resolveSources();
await import("../src/main.ts");
