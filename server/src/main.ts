import cluster from "node:cluster";
import process from "node:process";
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(process.argv.slice(2));
// What a worker shares with the process that looks after it would keep it alive.
if (cluster.isWorker) process.exit();
