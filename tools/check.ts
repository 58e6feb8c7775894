import { availableParallelism } from "node:os";
import process from "node:process";
import { checks, inSeconds, runSteps } from "./step.ts";

// What to run before every commit.
const started = performance.now();
const results = await runSteps(checks, { concurrency: availableParallelism() });
const failed = results.filter(({ isOk }) => !isOk).map(({ name }) => name);
const outcome = failed.length === 0 ? "all passed" : `failed: ${failed.join(", ")}`;
console.log(`${results.length} checks in ${inSeconds(performance.now() - started)}, ${outcome}`);
process.exitCode = failed.length === 0 ? 0 : 1;
