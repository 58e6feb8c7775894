import cluster from "node:cluster";
import process from "node:process";
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(process.argv.slice(2));
// Handles shared with the supervising process would keep the worker alive.
if (cluster.isWorker) process.exit();
