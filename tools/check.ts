import process from "node:process";
import { checks, runSteps } from "./step.ts";

// Format, lint, types and dependency rules: what to run before every commit.
const results = await runSteps(checks);
process.exitCode = results.every(({ isOk }) => isOk) ? 0 : 1;
